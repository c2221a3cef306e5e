#!/usr/bin/env bash
# Runs one test program as its build and the environment ask.
#   LOCKSTEP_COMPUTE_SANITIZER   tool of compute-sanitizer to run GPU tests under; its absence is a failure
#   LOCKSTEP_SANITIZER           `thread`: without address space randomisation, which ThreadSanitizer's runtime cannot
#                                always bear ("unexpected memory mapping")
set -euo pipefail

if [[ -n "${LOCKSTEP_COMPUTE_SANITIZER:-}" ]]; then
    tool=$(PATH="${LOCKSTEP_CUDA_BIN:-}:$PATH" command -v compute-sanitizer) || {
        echo "compute-sanitizer not found (LOCKSTEP_COMPUTE_SANITIZER=$LOCKSTEP_COMPUTE_SANITIZER asks for it) install the CUDA Toolkit" >&2
        exit 1
    }
    # Calls that return an error are the tests' own business: the harness turns each into an exception.
    exec "$tool" --tool "$LOCKSTEP_COMPUTE_SANITIZER" --report-api-errors no --error-exitcode 1 "$@"
fi

if [[ "${LOCKSTEP_SANITIZER:-}" == thread ]] && setarch --addr-no-randomize true 2>/dev/null; then
    exec setarch --addr-no-randomize "$@"
fi

exec "$@"
