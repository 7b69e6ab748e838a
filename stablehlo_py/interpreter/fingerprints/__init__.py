"""A reading of floats as fingerprints: do two programs compute the same function? No tolerance is involved.

A float is a value in double precision, which decides comparisons, branches, orders and conversions to integers, with a
residue modulo a prime p and one modulo the prime q = (p - 1) / 2. An argument's residues are random. A constant m * 2^e
has its own. Sums, products, quotients, contractions and windows are those of the fields, and so are substitutions in
triangular systems. Rounding is left out. Integers and booleans are themselves.

exp(x) is h^(x mod q), where h has the order q modulo p: exp(x + y) = exp(x) exp(y). `tanh`, `logistic` and
`exponential_minus_one` follow by their definitions. Let l be the logarithm to the base h of whichever of x and -x has
one. Then x^y is h^(l y), and sqrt(x) is h^(l / 2), of which `rsqrt` is the inverse. Other functions (`log`, `sine`, …)
are keyed hashes of their operand's residue. The residue modulo q of any function's result is a hash of that modulo p.

Proven: programs of sums, products, quotients and other functions whose results have different residues are different
as functions of these, on the way that these values take. If they are different, equal residues have a chance of at most
degree / p for each element (Schwartz and Zippel), and of its square with the second prime. exp, powers and roots are
homomorphisms, for which that bound is a heuristic (Mirage, OSDI 2025, proves one for a single exponential on a path).

Not proven: that different residues mean different functions if an identity is beyond these: log(exp(x)) = x, the
squares of sines and cosines, sqrt(x) sqrt(x) = x for the half of residues whose root has the other sign. Rounding, NaN,
overflow, underflow and ways that the values do not take are not seen. A decision between values that are closer than
their rounding is a doubt. An op without a reading raises an error: elements are of a type on which numpy has no
arithmetic, so that none is computed by mistake.
"""
