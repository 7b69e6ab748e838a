"""Other processes: calls that may crash, tools, engines and tasks. Callables and bytes go in, outcomes come out.

`policy` says who guards what. Nothing outside this room starts, forks or guards a process.
"""
