"""A reading of floats as fingerprints: do two programs compute the same function? No tolerance is involved.

A float is a value in double precision with two residues, modulo a prime p and modulo the prime q = (p - 1) / 2. The
value decides comparisons, branches, orders and conversions to integers. An argument has random residues, a constant
m * 2^e its own. Sums, products, quotients, contractions, windows and solutions of systems are computed in the fields.
Rounding is left out. Integers and booleans are themselves.

exp(x) is h^(x mod q), where h has the order q modulo p: exp(x + y) = exp(x) exp(y). `tanh`, `logistic` and
`exponential_minus_one` follow by their definitions. Let l be the logarithm to the base h of x or of -x: one of them has
it. Then x^y is h^(l y), sqrt(x) is h^(l / 2), and `rsqrt` is its inverse. Other functions (`log`, `sine`, …) are keyed
hashes of their operand's residue. The residue modulo q of a function's result is a hash of the one modulo p.

Proven: programs of sums, products and quotients with different residues are different functions, on the way that these
values take. Equal residues of different ones have a chance of at most degree / p for each element (Schwartz, Zippel).
A second prime squares it. With exponentials, powers and roots that bound is a heuristic (Mirage, OSDI 2025, proves one
for a single exponential on each path).

Not proven: different residues may be the same function by an identity beyond these. Examples are log(exp(x)) = x,
the squares of sine and cosine, and sqrt(x) sqrt(x) = x where the root has the other sign. Rounding, NaN, overflow,
underflow and ways not taken are not seen. A decision between values closer than their rounding is a doubt. An op
without a reading raises an error: numpy has no arithmetic on elements of this type.
"""
