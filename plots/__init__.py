"""From results to pages: loads measured and published numbers, draws figures, judges claims, writes reports."""
