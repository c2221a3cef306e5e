"""From results to pages: loads measured and published numbers, draws figures, judges claims, writes reports."""

import logging
import os

# Files are drawn, nothing is shown: a backend that the environment names is not used, and may not even exist.
os.environ["MPLBACKEND"] = "agg"
# Its warnings, such as one of a home that cannot be written to, are no lines of ours.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
