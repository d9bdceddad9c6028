"""Leading singular pairs against dense decompositions."""

import numpy as np
import pytest

from projfree.linalg import lanczos, lanczos_bound, singular
from projfree.linalg.sampled import Pattern, SparseOnPattern
from projfree.linalg.singular import gram_pair, leading_pair


def orthonormal(rng, n, k):
    return np.linalg.qr(rng.standard_normal((n, k)))[0]


def with_spectrum(rng, m, n, spectrum):
    U, V = orthonormal(rng, m, len(spectrum)), orthonormal(rng, n, len(spectrum))
    return (U * spectrum) @ V.T, U, V


def sparse(rng, m, n, count):
    flat = rng.choice(m * n, count, replace=False)
    return SparseOnPattern(Pattern(flat // n, flat % n, (m, n)), rng.standard_normal(count))


def check_pair(G, pair, tol):
    """G v = σu up to rounding, unit vectors, and a residual that is the true one."""
    assert np.linalg.norm(pair.u) == pytest.approx(1, abs=1e-13)
    assert np.linalg.norm(pair.v) == pytest.approx(1, abs=1e-13)
    assert np.linalg.norm(G @ pair.v - pair.sigma * pair.u) <= 1e-13 * pair.sigma
    residual = np.linalg.norm(G.T @ pair.u - pair.sigma * pair.v) / pair.sigma
    assert residual <= tol * (1 + 1e-6) + 1e-14
    assert residual == pytest.approx(pair.residual, rel=1e-3, abs=1e-13)


def test_an_array_of_several_blocks_of_rows():
    """Other arrays, patterns and operators: tests/peers, and those by products below."""
    rng = np.random.default_rng(2)
    dense = rng.standard_normal((129, 2000))
    pair = leading_pair(dense, rng=rng, tol=1e-9)
    check_pair(dense, pair, 1e-9)
    assert pair.sigma == pytest.approx(np.linalg.norm(dense, 2), rel=1e-12)


@pytest.mark.parametrize("lengths", [[30] * 4000, [0, 30_000, 17_000, 30_000, 60_000, 0, 100, 50_000, 0]])
def test_blocks_of_rows_of_all_lengths(lengths):
    """Rows that end a block, are longer than one, empty, or the last."""
    rng = np.random.default_rng(17)
    n = max(40, *lengths)
    cols = np.concatenate([rng.permutation(n)[:length] for length in lengths])
    pattern = Pattern(np.repeat(np.arange(len(lengths)), lengths), cols, (len(lengths), n))
    assert pattern.n > 2 * lanczos.BLOCK_ENTRIES
    operator = SparseOnPattern(pattern, rng.standard_normal(pattern.n))
    check_pair(operator.toarray(), leading_pair(operator, rng=rng, tol=1e-9), 1e-9)


class Generic:
    """An operator known by its products only; counts them."""

    def __init__(self, G):
        self.G, self.shape, self.products = G, G.shape, 0

    def matvec(self, v):
        self.products += 1
        return self.G @ v

    def rmatvec(self, u):
        self.products += 1
        return self.G.T @ u


def test_matvecs_count_every_product():
    rng = np.random.default_rng(3)
    G = rng.standard_normal((40, 30))
    operator = Generic(G)
    pair = leading_pair(operator, rng=np.random.default_rng(0))
    assert pair.matvecs == operator.products
    assert leading_pair(G, rng=np.random.default_rng(0)).matvecs == pair.matvecs
    for odd in (np.zeros((4, 3)), 1e-200 * G):
        operator = Generic(odd)
        assert leading_pair(operator).matvecs == operator.products


@pytest.mark.parametrize(("ratio", "least"), [(10.0, {}), (2.0, {}), (1.4, {}), (1.05, {"least": 20})])
def test_a_start_orthogonal_to_the_leading_vector_does_not_stick(ratio, least):
    """Where the leading value is close more steps can be demanded."""
    rng, spectrum = np.random.default_rng(8), np.linspace(1, 0.01, 60)
    spectrum[0] = ratio
    G, _, V = with_spectrum(rng, 60, 60, spectrum)
    for seed in range(20):
        pair = leading_pair(G, start=V[:, 1], rng=np.random.default_rng(seed), **least)
        assert pair.sigma == pytest.approx(ratio, rel=1e-3)


@pytest.mark.parametrize("made", [lambda G: G, SparseOnPattern.toarray], ids=["sparse", "dense"])
def test_same_input_same_bits_and_it_stays_untouched(made):
    rng = np.random.default_rng(10)
    G, start = made(sparse(rng, 50, 70, 600)), rng.standard_normal(70)
    before, given = getattr(G, "values", G).copy(), start.copy()
    pairs = [leading_pair(G, start=start, rng=np.random.default_rng(3)) for _ in range(2)]
    assert np.array_equal(pairs[0].u, pairs[1].u) and np.array_equal(pairs[0].v, pairs[1].v)
    assert pairs[0].sigma == pairs[1].sigma and pairs[0].residual == pairs[1].residual
    assert np.array_equal(getattr(G, "values", G), before) and np.array_equal(start, given)


def spoilt(bad, form):
    G = sparse(np.random.default_rng(5), 30, 20, 100)
    G.values[17] = bad
    return G if form == "sparse" else G.toarray()


EMPTY = [np.empty(shape) for shape in ((0, 3), (3, 0), (0, 0))]


@pytest.mark.parametrize(
    ("G", "options", "message"),
    [(spoilt(bad, f), {}, "not finite") for bad in (np.nan, np.inf, -np.inf) for f in ("dense", "sparse")]
    + [(np.eye(6), {"start": s}, "start has") for s in (np.ones(5), np.zeros(6), np.full(6, np.nan))]
    + [(np.eye(6), {"start": np.ones((6, 1))}, "start has")]
    + [(made(X), {}, "empty") for X in EMPTY for made in (np.array, Generic)],
)
def test_what_is_no_operator_or_start_is_refused(G, options, message):
    with pytest.raises(ValueError, match=message):
        leading_pair(G, **options)
    if message == "empty" and isinstance(G, np.ndarray):
        with pytest.raises(ValueError, match="empty"):
            gram_pair(G)


def test_too_few_products_are_an_error():
    G = np.random.default_rng(12).standard_normal((60, 60))
    with pytest.raises(ArithmeticError, match="60×60.*after 8 products"):
        leading_pair(G, tol=1e-12, max_matvecs=8)


def test_operators_known_by_their_products_at_all_scales():
    """Powers of two move nothing but the exponent; arrays, patterns and Gram matrices: tests/peers."""
    G = sparse(np.random.default_rng(6), 40, 9, 100).toarray()
    exact = np.linalg.norm(G, 2)
    for e in range(-1000, 1001, 25):
        pair = leading_pair(Generic(np.ldexp(G, e)), tol=1e-8, gap=1e-8)
        assert np.ldexp(pair.sigma, -e) == pytest.approx(exact, rel=1e-10), e
        assert exact * (1 - 1e-13) <= np.ldexp(pair.bound, -e) <= exact * (1 + 2e-8), e
        assert np.linalg.norm(G @ pair.v - exact * pair.u) <= 1e-7 * exact, e


def test_warm_start_needs_fewer_products():
    rng = np.random.default_rng(7)
    G, H = sparse(rng, 200, 200, 4000), None
    first = leading_pair(G, rng=rng)
    H = SparseOnPattern(G.pattern, G.values + 0.02 * rng.standard_normal(4000))
    cold, warm = leading_pair(H, rng=rng), leading_pair(H, start=first.v, rng=rng)
    assert warm.matvecs < cold.matvecs
    assert warm.sigma == pytest.approx(cold.sigma, rel=1e-5)


@pytest.mark.parametrize("basis, gap", [("BASIS", np.inf), ("CERTIFIED_BASIS", 1e-9)])
def test_restarts_reach_what_one_basis_does_not_and_a_bound_survives_them(basis, gap, monkeypatch):
    monkeypatch.setattr(singular, basis, 10)
    rng = np.random.default_rng(11)
    G, _, _ = with_spectrum(rng, 60, 50, np.r_[1.0, np.linspace(0.97, 0.1, 49)])
    pair = leading_pair(G, rng=rng, tol=1e-9, gap=gap)
    check_pair(G, pair, 1e-9)
    assert pair.matvecs > 40 and pair.sigma == pytest.approx(1.0, rel=1e-12)
    assert pair.bound >= 1 - 1e-13 and (gap == np.inf or pair.bound < 2.0)
    monkeypatch.undo()
    for operator in (G, Generic(G)):
        assert leading_pair(operator, rng=rng, tol=1e-14, least=50).bound == pytest.approx(1.0, rel=1e-9)


def clustered(rng, kind):
    """A matrix whose leading singular values are hard to tell apart, its right vectors, and σ₁."""
    m, n = rng.integers(30, 120, 2)
    k = min(m, n)
    spectrum = {
        "above a bulk": np.r_[1.005, rng.uniform(0.9999, 1, k - 1)],
        "bulk": np.r_[1, 1 - 1e-5 * rng.random(k - 1)],
        "pair": np.r_[1, 1 - 1e-5, np.linspace(0.9, 0.1, k - 2)],
        "tie": np.r_[1 + 1e-5, np.ones(3), rng.random(k - 4)],
        "low rank": np.r_[1, 1, 1, np.zeros(k - 3)],
        "slow": 1 - np.linspace(0, 1, k) ** 2 / 2,
    }[kind]
    G, _, V = with_spectrum(rng, m, n, spectrum)
    return G, V, spectrum.max()


@pytest.mark.parametrize("kind", ["above a bulk", "bulk", "pair", "tie", "low rank", "slow"])
def test_the_bound_is_one_and_as_tight_as_asked(kind):
    """From random starts and from the second right vector itself."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        G, V, exact = clustered(rng, kind)
        for start in (None, V[:, 1], V[:, 0]):
            for tol, gap in ((1e-2, np.inf), (1e-5, np.inf), (1e-3, 1e-3), (1e-5, 1e-4)):
                pair = leading_pair(G, start=start, rng=rng, tol=tol, gap=gap)
                assert pair.sigma <= exact * (1 + 1e-13) and pair.residual <= tol
                assert exact * (1 - 1e-13) <= pair.bound
                assert pair.bound <= pair.sigma * (1 + gap) or gap == np.inf
                assert pair.sigma >= exact * (1 - gap)


@pytest.mark.parametrize("start", [None, np.eye(1, 50, 1)[0]])
def test_starts_are_as_rarely_blind_as_is_claimed(start, monkeypatch):
    """A fifth of them where a fifth is allowed, for a vector orthogonal to the warm start."""
    monkeypatch.setattr(lanczos_bound, "FAILURE", 0.2)
    rng = np.random.default_rng(16)
    starts = [singular._first_vector(50, start, rng) for _ in range(4000)]
    blind = np.mean([abs(v[0]) < np.exp(-growth) for v, growth in starts])
    assert blind == pytest.approx(0.2, abs=0.02)
    toward = [abs(v[1]) < np.exp(-growth) for v, growth in starts]
    assert np.mean(toward) == (0.0 if start is not None else pytest.approx(0.2, abs=0.02))


def test_residuals_are_true_on_clusters():
    """Newton alone stops far above a cluster of Ritz values."""
    for seed in range(30):
        G, _, _ = clustered(np.random.default_rng(seed), "bulk")
        for tol in (1e-3, 1e-6, 1e-9):
            check_pair(G, leading_pair(G, tol=tol, gap=1e-6), tol)


def test_gram_pairs_of_orthonormal_columns():
    """LAPACK's syevr finds no eigenvector at all in 14 of these 400."""
    for seed in range(400):
        rng = np.random.default_rng(seed)
        side = int(rng.integers(2, 40))
        G = orthonormal(rng, side + 5, side) * 10.0 ** rng.integers(-8, 8)
        for X in (G, G.T):
            pair = gram_pair(X)
            assert np.linalg.norm(X @ pair.v - np.linalg.norm(G, 2) * pair.u) <= 1e-12 * pair.sigma
