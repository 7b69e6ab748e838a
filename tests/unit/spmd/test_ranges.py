"""Ranges that parts of a result need of an operand: their pieces put together, and the windows that run over them."""

from __future__ import annotations

import itertools
import random

import pytest

from stablehlo_py.spmd.halos import Halo, HaloRange

NOTHING = None  # outside of the operand, or between its elements


def windows(halo: Halo) -> list[list[int | None]]:
    """The elements of the operand, by their numbers, in the window of each element of the result."""
    if halo.reversed:
        return [[halo.size - 1 - number] for number in range(halo.result)]
    positions = [[halo.start + number * halo.stride + k for k in range(halo.extent)] for number in range(halo.result)]
    whole = {number * halo.dilation: number for number in range(halo.size)}
    return [[whole.get(position, NOTHING) for position in each] for each in positions]


def assembled(need: HaloRange, part: int) -> list[int | None]:
    """The range of a part, by the numbers of the operand's elements, from the pieces that are sent to it."""
    found: list[int | None] = [NOTHING] * need.length
    for piece in need.pieces():
        if part not in piece.sources:
            continue
        source = piece.sources[part]
        for k in range(piece.length):
            position, place = piece.starts[source] + k, piece.puts[part] + k
            assert 0 <= position < need.size, "a device sends elements of its own part alone"
            if 0 <= place < need.length:
                found[place] = source * need.size + position
    return found


def local_windows(halo: Halo, need: HaloRange, part: int) -> list[list[int | None]]:
    """The windows of the local op over the range of a part."""
    held = assembled(need, part)
    if halo.reversed:
        return [[each] for each in reversed(held)]
    spread: list[int | None] = [NOTHING] * need.low
    for number, each in enumerate(held):
        spread += [NOTHING] * ((halo.dilation - 1) * bool(number)) + [each]
    spread += [NOTHING] * need.high
    starts = range(0, len(spread) - halo.extent + 1, halo.stride)
    return [spread[start : start + halo.extent] for start in starts][: halo.result // need.parts]


def drawn(chance: random.Random) -> tuple[Halo, int]:
    parts = chance.choice([1, 2, 3, 4, 6])
    size, result = parts * chance.randint(1, 5), parts * chance.randint(1, 5)
    if chance.random() < 0.1:
        return Halo(size, size, 0, reversed=True), parts
    numbers = [chance.randint(1, 3), chance.randint(1, 5), chance.choice([1, 1, 2, 3])]
    return Halo(size, result, 0, chance.randint(-6, size), *numbers), parts


def test_windows_over_the_ranges_of_all_parts_are_those_of_the_whole() -> None:
    chance, tried = random.Random(0), 0
    for _ in range(3000):
        halo, parts = drawn(chance)
        need = halo.need(parts)
        if need is None:
            continue
        tried += 1
        share, wanted = halo.result // parts, windows(halo)
        for part in range(parts):
            found = local_windows(halo, need, part)
            assert found == wanted[part * share : (part + 1) * share], (halo, parts, part)
    assert tried > 1500


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 7])
def test_pieces_make_up_each_range_and_no_more_is_sent_than_that_takes(parts: int) -> None:
    chance = random.Random(parts)
    for _ in range(300):
        size, length = chance.randint(1, 5), chance.randint(1, 12)
        need = HaloRange(parts, size, chance.randint(-7, 7), chance.choice([-size, size, 1, size + 1, 2]), length)
        pieces = need.pieces()
        for part in range(parts):
            begin = need.first + part * need.step
            wanted = [each if 0 <= each < parts * size else NOTHING for each in range(begin, begin + length)]
            assert assembled(need, part) == wanted, (need, part)
        for piece in pieces:
            assert set(piece.starts) == set(piece.sources.values())
            assert set(piece.puts) == set(piece.sources)
            assert 0 < piece.length <= min(size, length)
            longest = max(
                len({*range(begin, begin + length)} & {*range(source * size, (source + 1) * size)})
                for part, source in piece.sources.items() for begin in [need.first + part * need.step]
            )  # fmt: skip
            assert piece.length == longest
        distances = [
            {source - (-1 if need.step < 0 else 1) * part for part, source in piece.sources.items()} for piece in pieces
        ]
        assert all(len(each) == 1 for each in distances)
        assert len(set(itertools.chain.from_iterable(distances))) == len(pieces)
        others = [piece for piece in pieces if any(part != source for part, source in piece.sources.items())]
        assert need.sent == sum(piece.length for piece in others)
        assert [piece.is_own for piece in pieces] == [piece not in others for piece in pieces]


@pytest.mark.parametrize(
    ("halo", "parts", "found"),
    [
        (Halo(16, 16, 0), 4, HaloRange(4, 4, 0, 4, 4)),
        (Halo(16, 16, 0, reversed=True), 4, HaloRange(4, 4, 12, -4, 4)),
        (Halo(16, 16, 0, -1, 1, 3), 4, HaloRange(4, 4, -1, 4, 6)),
        (Halo(16, 8, 0, 0, 2, 2), 4, HaloRange(4, 4, 0, 4, 4)),
        (Halo(4, 8, 0, -1, 1, 1, 2), 2, HaloRange(2, 2, 0, 2, 2, 1, 0)),
        (Halo(4, 8, 0, 0, 1, 1, 2), 2, HaloRange(2, 2, 0, 2, 2, 0, 1)),
        (Halo(6, 6, 0, 0, 1, 1, 4), 2, None),  # parts begin differently
        (Halo(6, 6, 0, 0, 1, 1, 4), 1, HaloRange(1, 6, 0, 1, 2, 0, 1)),
        (Halo(64, 64, 0, -40, 1, 81), 64, None),  # of more than sixteen pieces
        (Halo(64, 64, 0, -7, 1, 15), 64, HaloRange(64, 1, -7, 1, 15)),
        (Halo(17, 17, 0, -8, 1, 16), 17, HaloRange(17, 1, -8, 1, 16)),
        (Halo(17, 17, 0, -8, 1, 17), 17, None),
        (Halo(2, 2, 0, -16, 1, 18), 2, HaloRange(2, 1, -16, 1, 18)),
        (Halo(2, 2, 0, -16, 1, 19), 2, None),  # far longer than all parts
        (Halo(4, 4, 0, -16, 1, 34), 2, HaloRange(2, 2, -16, 2, 35)),
        (Halo(4, 4, 0, -16, 1, 35), 2, None),
        (Halo(2, 2, 0, 1, 1, 1, 2), 1, HaloRange(1, 2, 1, 1, 1, 1, 0)),
        (Halo(4, 2, 0, 1, 1, 1, 3), 1, None),  # of nothing but padding
    ],
)
def test_ranges_of_windows(halo: Halo, parts: int, found: HaloRange | None) -> None:
    assert halo.need(parts) == found


@pytest.mark.parametrize(
    ("need", "words", "is_own"),
    [
        (HaloRange(4, 4, 0, 4, 4), "0 before and 0 behind each part of dimension 2", True),
        (HaloRange(4, 4, -1, 4, 6), "1 before and 1 behind each part of dimension 2", False),
        (HaloRange(4, 4, 0, 4, 5), "0 before and 1 behind each part of dimension 2", False),
        (HaloRange(4, 4, 1, 4, 4), "4 of dimension 2 from 1 + 4 x part on", False),
        (HaloRange(4, 4, 0, 4, 3), "3 of dimension 2 from 0 + 4 x part on", False),
        (HaloRange(4, 4, 12, -4, 4), "4 of dimension 2 from 12 - 4 x part on", False),
        (HaloRange(4, 4, 0, 2, 4), "4 of dimension 2 from 0 + 2 x part on", False),
        (HaloRange(4, 4, -1, 4, 4), "4 of dimension 2 from -1 + 4 x part on", False),
        (HaloRange(4, 4, 0, 0, 4), "4 of dimension 2 from 0 + 0 x part on", False),
    ],
)
def test_ranges_in_words(need: HaloRange, words: str, is_own: bool) -> None:
    assert (need.words(2), need.is_own) == (words, is_own)


@pytest.mark.parametrize(
    ("halo", "is_own"),
    [
        (Halo(4, 4, 7), True), (Halo(4, 4, 0, reversed=True), False), (Halo(4, 3, 0), False), (Halo(4, 4, 0, 1), False),
        (Halo(4, 4, 0, 0, 2), False), (Halo(4, 4, 0, 0, 1, 2), False), (Halo(4, 4, 0, 0, 1, 1, 2), False),
    ],
)  # fmt: skip
def test_elements_that_depend_on_those_of_their_own_number_alone(halo: Halo, is_own: bool) -> None:
    assert halo.is_own == is_own
