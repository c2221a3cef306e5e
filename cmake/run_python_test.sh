#!/usr/bin/env bash
# Runs pytest on what it is given, or exits with 77 (skipped) where no Python here has the packages.
set -euo pipefail

top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
if ! python=$("$top/cmake/find_python.sh"); then
    echo "skipped: no Python with pandas, matplotlib, jinja2 and pytest"
    exit 77
fi
cd "$top"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$top" exec "$python" -m pytest -q -p no:cacheprovider "$@"
