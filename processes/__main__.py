"""python3 -m processes peers|end-to-end ..."""

import sys

from plots import process

if __name__ == "__main__":
    process.prepare()
    sys.exit(process.run(process.main_of("processes.cli")))
