"""Tests of the Python package with the library of the build that LOCKSTEP_LIBRARY names."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("LOCKSTEP_LIBRARY") else ["test_*.py"]
