"""Random instances, shared by the kit, the fuzzer and tests: element values, shapes, attributes, texts of programs.

Everything is drawn from a `random.Random`, so the same seed gives the same instances.
"""
