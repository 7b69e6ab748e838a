"""Facts about ops: traits, how they are evaluated, attributes, constraints, and which constraint a diagnostic is about.

`facts` is for the rooms that treat programs and costs little to import; `catalog`, `messages` and `values` are for
explaining an op to a person.
"""
