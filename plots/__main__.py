"""python3 -m plots figures|report|compare|reproduce ..."""

import sys

from plots import process

if __name__ == "__main__":
    process.prepare()
    from plots.cli import main

    sys.exit(process.run(main))
