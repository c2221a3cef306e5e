#!/usr/bin/env bash
# Runs pytest with the given arguments, or exits with 77 (skipped) if no Python on this machine has the required
# packages.
set -euo pipefail

top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
if ! python=$("$top/cmake/find_python.sh"); then
    echo "skipped: no Python 3.11 or newer with pandas, matplotlib, jinja2 and pytest"
    exit 77
fi
cd "$top"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$top" exec "$python" -m pytest -q -p no:cacheprovider "$@"
