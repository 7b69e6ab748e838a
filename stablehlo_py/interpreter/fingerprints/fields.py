"""The fields of residues modulo p and modulo q = (p - 1) / 2, as arrays of whole numbers in double precision."""

from __future__ import annotations

import math
import zlib
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

PRIMES = ((2_097_143, 25), (2_096_867, 4))
"""Primes p below 2^21, so that 2,048 products add up below 2^53, with numbers of the order q = (p - 1) / 2."""
CHUNK = 2_048
_EXPONENTS = 1_200


class Field:
    """Whole numbers modulo a prime."""

    def __init__(self, modulus: int) -> None:
        self.modulus = modulus
        scales = [self.powers(base, _EXPONENTS) for base in (modulus // 2 + 1, 2)]  # of 1 / 2 and 2
        self._scales = np.concatenate([scales[0][:0:-1], scales[1]]).astype(np.float64)

    @cached_property
    def _inverses(self) -> np.ndarray:
        """The inverse of each residue."""
        powers = self.powers(_generator(self.modulus), self.modulus - 1)
        inverses = np.zeros(self.modulus, np.int32)
        inverses[powers[1:]], inverses[1] = powers[:0:-1], 1
        return inverses

    def powers(self, base: int, count: int) -> np.ndarray:
        """Return base^0, …, base^(count - 1)."""
        powers = np.ones(1)
        while len(powers) < count:
            powers = np.concatenate([powers, self.reduced(powers * pow(base, len(powers), self.modulus))])
        return powers[:count].astype(np.int32)

    def reduced(self, numbers: Any) -> Any:
        """Return the residues of whole numbers of at most 2^53."""
        residues = numbers - np.floor(numbers * (1 / self.modulus)) * self.modulus
        residues += (residues < 0) * float(self.modulus)
        residues -= (residues >= self.modulus) * float(self.modulus)
        return residues

    def inverse(self, residues: Any) -> Any:
        """Return the inverses; zero is its own."""
        return _taken(self._inverses, residues)

    def number(self, mantissa: Any, exponent: Any) -> Any:
        """Return the residues of mantissa * 2^exponent, of integers."""
        return self.reduced(mantissa % self.modulus * self._scales[exponent + _EXPONENTS - 1])

    def power(self, base: Any, exponents: Any) -> Any:
        """Return the powers to integers that are not negative."""
        base, left = np.broadcast_arrays(np.asarray(base, np.float64), np.asarray(exponents, np.int64))
        result = np.ones(base.shape)
        while left.any():
            result = np.where(left & 1, self.reduced(result * base), result)
            base, left = self.reduced(base * base), left >> 1
        return result

    def matmul(self, lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        """Return lhs @ rhs, batches of matrices."""
        total = np.zeros((*lhs.shape[:-1], rhs.shape[-1]))
        for k in range(0, lhs.shape[-1], CHUNK):
            left = np.ascontiguousarray(lhs[..., k : k + CHUNK], np.float64)
            total = self.reduced(total + left @ np.ascontiguousarray(rhs[..., k : k + CHUNK, :], np.float64))
        return total


def _generator(modulus: int) -> int:
    """Return the least number with all residues but zero among its powers."""
    order = modulus - 1
    small = [factor for factor in range(2, math.isqrt(order) + 1) if order % factor == 0]
    factors = [*small, *[order // factor for factor in small]]
    return next(g for g in range(2, modulus) if all(pow(g, factor, modulus) != 1 for factor in factors))


def _taken(table: np.ndarray, residues: Any) -> Any:
    return table[np.asarray(residues).astype(np.int32)].astype(np.float64)


class Fields:
    """Both fields of a prime, and the functions between them."""

    def __init__(self, prime: int, base: int, seed: int) -> None:
        self.seed = seed
        self.main, self.exponents = Field(prime), Field(prime // 2)
        self._base = base

    @cached_property
    def _exponentials(self) -> np.ndarray:
        """The powers of the base."""
        return self.main.powers(self._base, self.exponents.modulus)

    @cached_property
    def _logarithms(self) -> np.ndarray:
        """The exponent of each power and of its negative."""
        logarithms, powers = np.zeros(self.main.modulus, np.int32), self._exponentials
        logarithms[powers] = logarithms[self.main.modulus - powers] = np.arange(len(powers))
        return logarithms

    def exponential(self, exponents: Any) -> Any:
        """Return h^exponents."""
        return _taken(self._exponentials, exponents)

    def logarithm(self, residues: Any) -> Any:
        """Return the exponents with h^exponents = residues or -residues; 0 for zero."""
        return _taken(self._logarithms, residues)

    def exponents_of(self, residues: Any) -> Any:
        """Return residues modulo q for functions' results: hashes of those modulo p, except for zero and one."""
        hashed = self.hashed("exponents", residues, modulus=self.exponents.modulus)
        return np.where(residues <= 1, residues, hashed)

    def hashed(self, name: str, *residues: Any, modulus: int | None = None) -> Any:
        """Return residues that depend on a name and on those given; nothing else is known of them."""
        key = zlib.crc32(f"{name}{self.seed}".encode())
        mixed = np.full(np.broadcast_shapes(*map(np.shape, residues)), key, np.uint64)
        for each in residues:
            mixed ^= np.asarray(each).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
            for multiplier in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
                mixed *= np.uint64(multiplier)
                mixed ^= mixed >> np.uint64(29)
        return (mixed % np.uint64(self.main.modulus if modulus is None else modulus)).astype(np.float64)


@lru_cache(maxsize=len(PRIMES))
def fields(sample: int) -> Fields:
    """Return the fields of a sample: the primes in turn, with other hashes each time."""
    prime, base = PRIMES[sample % len(PRIMES)]
    return Fields(prime, base, sample)
