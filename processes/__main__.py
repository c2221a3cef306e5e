"""python3 -m processes peers|end-to-end ..."""

import sys

from plots import process

if __name__ == "__main__":
    process.prepare()
    from processes.cli import main

    sys.exit(process.run(main))
