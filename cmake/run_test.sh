#!/usr/bin/env bash
# Runs one test program as its build requires.
#   LOCKSTEP_SANITIZER   `thread`: disables address space randomisation, with which ThreadSanitizer's runtime can fail
#                        ("unexpected memory mapping")
set -euo pipefail

if [[ "${LOCKSTEP_SANITIZER:-}" == thread ]] && setarch --addr-no-randomize true 2>/dev/null; then
    exec setarch --addr-no-randomize "$@"
fi

exec "$@"
