"""python3 -m plots figures|report|compare|reproduce ..."""

import sys

from plots import process

if __name__ == "__main__":
    process.prepare()
    sys.exit(process.run(process.main_of("plots.cli")))
