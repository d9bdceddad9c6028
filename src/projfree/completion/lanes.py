"""The gradient over ratings in vectors of eight, written out: two thirds of the time of plain loops.

Widths of factors are multiples of eight, but so small that loops which a compiler makes for long rows spend
their time before and after their main part. Four entries of a row are taken at a time, their errors are used
at once, and a large right factor is gone through tile by tile, so that it and its gradient stay near. That
needs entries of a row in the order of their columns; in another order it is right, and slower. All is in
single precision but the sum of squares. The published runs of gcg have `linalg.completion_kernels`.
"""

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, models, register_model

from ..linalg.compiled import njit, types
from ..linalg.completion_kernels import LANES

TILE = 3 << 17  # bytes of the right factor taken together: with their gradient they fit a core's cache
SEGMENT = 16  # and at least so many entries of a row on average: fewer cost more than they gain
VECTOR, PLACE, SUM = ir.VectorType(ir.FloatType(), LANES), ir.IntType(32), ("reassoc", "contract")


class Vector(types.Type):
    """Eight numbers in single precision."""

    def __init__(self):
        super().__init__("Vector")


@register_model(Vector)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, VECTOR)


EIGHT, POINTER, AT = Vector(), types.CPointer(types.float32), types.intp


def _vector(builder, start, at):
    return builder.bitcast(builder.gep(start, [at]), VECTOR.as_pointer())


def _order(places):
    return ir.Constant(ir.VectorType(PLACE, len(places)), list(places))


@intrinsic
def _row(typing, array, i):
    """Where row i of a float32 matrix begins; its entries lie side by side."""
    if not (isinstance(array, types.Array) and array.dtype == types.float32 and array.layout == "C"):
        return None

    def emit(context, builder, signature, values):
        matrix = context.make_array(signature.args[0])(context, builder, values[0])
        return builder.gep(matrix.data, [builder.mul(values[1], builder.extract_value(matrix.shape, 1))])

    return POINTER(array, AT), emit


@intrinsic
def _load(typing, start, at):
    def emit(context, builder, signature, values):
        return builder.load(_vector(builder, *values), align=4)

    return EIGHT(POINTER, AT), emit


@intrinsic
def _store(typing, vector, start, at):
    def emit(context, builder, signature, values):
        builder.store(values[0], _vector(builder, *values[1:]), align=4)
        return context.get_dummy_value()

    return types.void(EIGHT, POINTER, AT), emit


@intrinsic
def _fma(typing, a, b, c):
    """a·b + c."""

    def emit(context, builder, signature, values):
        return builder.fadd(builder.fmul(*values[:2], flags=SUM), values[2], flags=SUM)

    return EIGHT(EIGHT, EIGHT, EIGHT), emit


@intrinsic
def _all(typing, x):
    """A number, eight times."""

    def emit(context, builder, signature, values):
        empty = ir.Constant(VECTOR, ir.Undefined)
        first = builder.insert_element(empty, values[0], PLACE(0))
        return builder.shuffle_vector(first, empty, _order([0] * LANES))

    return EIGHT(types.float32), emit


@intrinsic
def _sum(typing, vector):
    """Of the eight: halves are added, then halves of these, then two numbers."""

    def emit(context, builder, signature, values):
        result, width = values[0], LANES
        while width > 1:
            width //= 2
            halves = (builder.shuffle_vector(result, result, _order(range(k, k + width))) for k in (0, width))
            result = builder.fadd(*halves, flags=SUM)
        return builder.extract_element(result, PLACE(0))

    return types.float32(EIGHT), emit


@njit(nogil=True)
def gradients(indptr, cols, target, U, V):
    """(½Σ e², E V, Eᵀ U) of e = U_i·V_j − target at these entries."""
    at, zero, total = indptr[:-1].copy(), _all(np.float32(0)), 0.0
    U, V = U.copy(), V.copy()  # at places where no vector lies across two lines of the cache
    left, right, width = np.zeros(U.shape, U.dtype), np.zeros(V.shape, V.dtype), V.shape[1]
    step = tile(at.size, cols.size, V)
    for limit in range(step, V.shape[0] + step, step):
        for i in range(at.size):
            p, last, u, side = at[i], indptr[i + 1], _row(U, i), _row(left, i)
            while p + 4 <= last and cols[p + 3] < limit:
                a, b, c, d = _four(V, cols, p)
                sa, sb, sc, sd = zero, zero, zero, zero
                for r in range(0, width, LANES):
                    x = _load(u, r)
                    sa, sb = _fma(x, _load(a, r), sa), _fma(x, _load(b, r), sb)
                    sc, sd = _fma(x, _load(c, r), sc), _fma(x, _load(d, r), sd)
                ea, eb = _sum(sa) - target[p], _sum(sb) - target[p + 1]
                ec, ed = _sum(sc) - target[p + 2], _sum(sd) - target[p + 3]
                total += _square(ea) + _square(eb) + (_square(ec) + _square(ed))
                wa, wb, wc, wd = _all(ea), _all(eb), _all(ec), _all(ed)
                _add_four(wa, wb, wc, wd, a, b, c, d, side, width)
                a, b, c, d = _four(right, cols, p)
                _add_to_four(wa, wb, wc, wd, u, a, b, c, d, width)
                p += 4
            while p < last and cols[p] < limit:
                a, sa = _row(V, np.intp(cols[p])), zero
                for r in range(0, width, LANES):
                    sa = _fma(_load(u, r), _load(a, r), sa)
                ea = _sum(sa) - target[p]
                total += _square(ea)
                _add(_all(ea), a, side, width)
                _add(_all(ea), u, _row(right, np.intp(cols[p])), width)
                p += 1
            at[i] = p
    return total / 2, left, right


@njit
def tile(rows, entries, V):
    """How many columns are in a tile."""
    tiles = min(-(-V.size * V.itemsize // TILE), entries // (SEGMENT * max(rows, 1)))
    return max(1, -(-V.shape[0] // max(tiles, 1)))


@njit
def _square(e):
    return np.float64(e) * e


@njit
def _four(side, cols, p):
    """Where the rows of four columns begin."""
    a, b = _row(side, np.intp(cols[p])), _row(side, np.intp(cols[p + 1]))
    return a, b, _row(side, np.intp(cols[p + 2])), _row(side, np.intp(cols[p + 3]))


@njit
def _add_four(wa, wb, wc, wd, a, b, c, d, total, width):
    for r in range(0, width, LANES):
        below = _fma(wc, _load(c, r), _fma(wd, _load(d, r), _load(total, r)))
        _store(_fma(wa, _load(a, r), _fma(wb, _load(b, r), below)), total, r)


@njit
def _add_to_four(wa, wb, wc, wd, row, a, b, c, d, width):
    for r in range(0, width, LANES):
        x = _load(row, r)
        _store(_fma(wa, x, _load(a, r)), a, r)
        _store(_fma(wb, x, _load(b, r)), b, r)
        _store(_fma(wc, x, _load(c, r)), c, r)
        _store(_fma(wd, x, _load(d, r)), d, r)


@njit
def _add(w, row, total, width):
    for r in range(0, width, LANES):
        _store(_fma(w, _load(row, r), _load(total, r)), total, r)
