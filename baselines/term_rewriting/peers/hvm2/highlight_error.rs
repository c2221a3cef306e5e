// Stands in for the crate highlight_error, which marks the place of a mistake in a net. The nets here are generated.
pub fn highlight_error(_begin: usize, _end: usize, _text: &str) -> String {
    String::new()
}
