"""python3 -m plots figures|report|compare|reproduce ..."""

import sys

from plots.cli import main

if __name__ == "__main__":
    sys.exit(main())
