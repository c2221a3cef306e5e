"""Measures whole processes: foreign programs beside ours (`lockstep peers`), and tools from start to end."""
