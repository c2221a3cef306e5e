#!/usr/bin/env bash
# Prints the path of the first Python that can import the packages that plots/ and its tests need. Fails if there is
# none.
set -euo pipefail

top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
for python in "$top/.venv/bin/python" python3 /usr/bin/python3; do
    if "$python" -c 'import sys, pandas, matplotlib, jinja2, pytest; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        command -v "$python"
        exit 0
    fi
done
exit 1
