#!/usr/bin/env bash
# Runs one test program as its build and the environment require.
#   LOCKSTEP_COMPUTE_SANITIZER   tool of compute-sanitizer under which to run GPU tests; the test fails if it is missing
#   LOCKSTEP_SANITIZER           `thread`: disables address space randomisation, with which ThreadSanitizer's runtime
#                                can fail ("unexpected memory mapping")
set -euo pipefail

if [[ -n "${LOCKSTEP_COMPUTE_SANITIZER:-}" ]]; then
    tool=$(PATH="${LOCKSTEP_CUDA_BIN:-}:$PATH" command -v compute-sanitizer) || {
        echo "compute-sanitizer not found (LOCKSTEP_COMPUTE_SANITIZER=$LOCKSTEP_COMPUTE_SANITIZER requires it) install the CUDA Toolkit" >&2
        exit 1
    }
    # Do not report API calls that return an error: some tests provoke them, and the harness turns each into an
    # exception.
    exec "$tool" --tool "$LOCKSTEP_COMPUTE_SANITIZER" --report-api-errors no --error-exitcode 1 "$@"
fi

if [[ "${LOCKSTEP_SANITIZER:-}" == thread ]] && setarch --addr-no-randomize true 2>/dev/null; then
    exec setarch --addr-no-randomize "$@"
fi

exec "$@"
