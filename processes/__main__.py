"""python3 -m processes peers|end-to-end ..."""

import sys

from processes.cli import main

if __name__ == "__main__":
    sys.exit(main())
