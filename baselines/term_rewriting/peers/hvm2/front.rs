// HVM2's own front end without its command line, whose crates would have to be downloaded.
// `front c NET RUNTIME THREADS_LOG2` prints the C runtime with the net's functions compiled, as `hvm gen-c` does.
// `front book NET` prints the bytes of the net, which the CUDA runtime interprets: HVM2 compiles functions for C alone.
use hvm::{ast, cmp};
use std::io::Write;
use std::{env, fs, io};

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let text = fs::read_to_string(&arguments[2]).expect("the net");
    let book = ast::Book::parse(&text).unwrap_or_else(|error| panic!("{error}")).build();
    let mut bytes: Vec<u8> = Vec::new();
    book.to_buffer(&mut bytes);
    if arguments[1] == "book" {
        io::stdout().write_all(&bytes).expect("standard output");
        return;
    }
    let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
    let runtime = fs::read_to_string(&arguments[3]).expect("the runtime");
    let compiled = runtime
        .replace("///COMPILED_INTERACT_CALL///", &cmp::compile_book(cmp::Target::C, &book))
        .replace("#define INTERPRETED", "#define COMPILED")
        .replace("#define TPC_L2 0", &format!("#define TPC_L2 {}", arguments[4]))
        .replace("//COMPILED_BOOK_BUF//", &format!("static const u8 BOOK_BUF[] = {{{}}};", numbers.join(",")))
        .replace("#define WITHOUT_MAIN", "#define WITH_MAIN");
    print!("{compiled}");
}
