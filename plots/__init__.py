"""From results to pages: loads measured and published numbers, draws figures, judges claims, writes reports."""

import os

# Files are drawn, nothing is shown: a backend that the environment names is not used, and may not even exist.
os.environ["MPLBACKEND"] = "agg"
