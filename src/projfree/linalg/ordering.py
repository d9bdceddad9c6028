"""The order of many numbers by absolute value, in less time than a comparison sort needs.

Bits of non-negative floats are ordered as the numbers are. The leading ones of those in which the numbers at
hand differ stand above the place in one integer, a radix sort of two or three passes orders these, and what
the other bits decide is put right by an insertion sort of a sequence that is all but sorted.
"""

import numpy as np

from projfree.linalg.compiled import njit
from projfree.linalg.validation import vector

PLACE = 31  # bits of a place, which is 2·position + sign
FEW, MANY = 4096, 1 << 17  # up to here digits of 8 bits serve; from here on two of 11 leave too many ties


def descending_order(a) -> np.ndarray:
    """Indices (n,) that sort finite numbers from large to small absolute value, ties by position."""
    a = vector("a", a)
    places, sizes = np.empty(a.size, np.int64), np.empty(a.size)
    select(a, -1.0, 1.0, places, sizes)
    sort(a, 1.0, places, sizes)
    return places >> 1


@njit
def select(p, floor, unit, places, sizes):
    """Fill in places and sizes of those |p|·unit that are > floor, and return how many these are."""
    count = 0
    for i in range(p.size):
        size = abs(p[i]) * unit
        places[count], sizes[count] = 2 * i + (p[i] < 0.0), size
        count += size > floor
    return count


@njit
def sort(p, unit, places, sizes):
    """Put sizes in descending order, places with them; ties as they stand."""
    if _falls(sizes):
        return
    digit, passes = (8, 2) if sizes.size <= FEW else (11, 2) if sizes.size < MANY else (11, 3)
    settled = p.size < 1 << (PLACE - 1)
    if settled:
        _add_keys(places, sizes.view(np.int64), digit * passes)
        _by_digits(places, sizes.view(np.int64), digit, passes)
        settled = _settle(p, unit, places, sizes)
    if not settled:
        _compare(p, unit, places, sizes)


@njit
def _falls(sizes):
    rises = 0
    for j in range(1, sizes.size):
        rises += sizes[j] > sizes[j - 1]
    return rises == 0


@njit
def _add_keys(places, bits, width):
    """Put above each place the leading bits, at most `width`, of how far its size is below the largest."""
    largest, smallest = bits[0], bits[0]
    for j in range(bits.size):
        largest, smallest = max(largest, bits[j]), min(smallest, bits[j])
    shift = 0
    while (largest - smallest) >> shift >= 1 << min(width, 63 - PLACE):
        shift += 1
    for j in range(bits.size):
        places[j] |= (largest - bits[j]) >> shift << PLACE


@njit
def _by_digits(keys, other, digit, passes):
    """Order keys by the bits above the place, from their last digit to their first, by way of `other`."""
    source, target = keys, other
    for low in range(PLACE, PLACE + digit * passes, digit):
        starts = np.zeros((1 << digit) + 1, np.int64)
        for key in source:
            starts[((key >> low) & ((1 << digit) - 1)) + 1] += 1
        for d in range(1 << digit):
            starts[d + 1] += starts[d]
        for key in source:
            d = (key >> low) & ((1 << digit) - 1)
            target[starts[d]] = key
            starts[d] += 1
        source, target = target, source
    for j in range(keys.size if passes & 1 else 0):  # a slice would be slow to compile
        keys[j] = other[j]


@njit
def _settle(p, unit, keys, sizes):
    """Make keys places again, sizes theirs, and insert each where it belongs; False where that takes long."""
    keys &= (1 << PLACE) - 1
    moves, most = 0, 8 * keys.size + 64
    for j in range(keys.size):
        place, i = keys[j], j
        size = abs(p[place >> 1]) * unit
        while i > 0 and sizes[i - 1] < size:
            sizes[i], keys[i] = sizes[i - 1], keys[i - 1]
            i -= 1
        sizes[i], keys[i] = size, place
        moves += j - i
        if moves > most:
            return False
    return True


@njit
def _compare(p, unit, places, sizes):
    """By comparisons, whatever the numbers: a heap, which compiles ten times faster than NumPy's sorts."""
    n = places.size
    for j in range(n):
        sizes[j] = abs(p[places[j] >> 1]) * unit
    for step in range(n // 2 + n - 1):
        if step < n // 2:  # the heap is made, then emptied from its top
            i, end = n // 2 - 1 - step, n
        else:
            i, end = 0, n - 1 - (step - n // 2)
            places[0], places[end], sizes[0], sizes[end] = places[end], places[0], sizes[end], sizes[0]
        place, size = places[i], sizes[i]
        while 2 * i + 1 < end:
            j = 2 * i + 1
            j += j + 1 < end and _before(sizes[j], places[j], sizes[j + 1], places[j + 1])
            if not _before(size, place, sizes[j], places[j]):
                break
            places[i], sizes[i] = places[j], sizes[j]
            i = j
        places[i], sizes[i] = place, size


@njit
def _before(size, place, other, its_place):
    """Whether a size comes before another one: it is larger, or as large with the smaller place."""
    return size > other or (size == other and place < its_place)
