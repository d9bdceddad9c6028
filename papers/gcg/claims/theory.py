"""Theory checks: bounds of theorems, which are columns of the probes, and identities to within rounding."""

from referee.judge import at_least, at_most, claim, statement, zero


def zeros(panel, method, columns):
    """Several columns of a probe, each 0 to within its own."""
    return [f for column, within in columns.items() for f in zero(panel, method, column, within)]


@claim("T1")
def t1(evidence):
    """Frank-Wolfe with η = 2/(t + 2) on 12 × 9 masked instances stays below 2L_F/(t + 3), its least gap
    below 4.5 L_F/t, with L_F as observed; the weights sum as the proof says.

    §3.1, Corollary 5: “F(w_t) ≤ F(w) + 2L_F/(t + 3)”
    """

    def gap_after_the_start(rows):
        return rows["gap"].where(rows["iteration"] > 0)

    def sum_of_weights(rows):
        return rows["weights_identity"] - 1

    ball, own = evidence["t-ball"], "exact"
    findings = at_most(ball, own, "excess", "excess_bound") + at_most(
        ball, own, gap_after_the_start, "gap_bound"
    )
    findings += at_most(ball, own, sum_of_weights, 1e-12) + at_least(ball, own, sum_of_weights, -1e-12)
    return findings + at_most(ball, own, "weights_square", 1, slack=1e-12)


statement("""T2: With atoms that miss the best by exactly δη_t/2 the excess stays below 2(L_F + δ)/(t + 3).

§3.1, Theorem 4: “ε_t ≤ δη_t/2 for some absolute constant δ > 0”
""")(lambda e: at_most(e["t-ball"], "inexact", "excess", "excess_bound"))
statement("""T14: With η_t = 1/(t + 1) the excess stays below L_F(1 + log t)/(2t).

§3.1, step sizes η_s = 1/(s + 1): “both η_s = 1/(s + 1) and the constant rule … lead to an O((1 + log t)/(t +
1)) rate”
""")(lambda e: at_most(e["t-ball"], "averaging", "excess", "excess_bound"))


statement("""T3: Algorithm 2 with α ∈ {1, 0.8, 0.6} and δ ∈ {0, 0.3, 0.5}, errors planted exactly: ℓ + λρ_t
keeps both bounds (eqs. 38, 39).

§3.2, Corollary 9: “F(w_t) ≤ F(w) + 2(ρδ + L_F)/(t + 3) + h(ρ/α) − h(ρ)”
""")(
    lambda e: [
        f for b in ("bound", "bound_multiplicative") for f in at_most(e["t-polars"], "planted", "excess", b)
    ]
)


STAGES = ("local", "rotated", "vanilla")


statement("""T4: The search of eq. (40) never ends above the relaxed bound at the open-loop step, and never
raises ℓ + λρ.

§3.2, Definition 7 (eq. 36) and eq. (40): “Relaxed”
""")(lambda e: at_most(e["t-steps"], STAGES, ("search_excess", "search_rise"), 1e-9))

statement("""T5.a, trace norm: With random factors the three bounds of the trace norm are in order, and equal
at the singular value decomposition.

§4.2, Proposition 15: “Proposition 15”
""")(
    lambda e: (
        at_least(e["t5-trace-norm"], "factors", "over_sizes", 1, slack=1e-12)
        + at_least(e["t5-trace-norm"], "factors", "sizes_over", 1, slack=1e-10)
        + zero(e["t5-trace-norm"], "factors", "equality", 1e-9)
    )
)
statement("""T5.b, two views: Two views, 5 × 4: the least F over 20 factor columns is within 10⁻⁵ of the
certified convex optimum; a test has the semidefinite program.
""")(lambda e: at_most(e["t5-views"], "gcg-sph", "dual_gap", "objective", by=1e-5, stat="last"))

statement("""T6: ℓ + λρ does not rise in Reduce, the factors of its start have ρ exactly, and ρ_t is never
below the trace norm.

§4.3, Proposition 16 and Algorithm 3: “ρ_{t+1} ≥ κ(w_{t+1})”
""")(
    lambda e: (
        at_most(e["t-steps"], STAGES[:2], "reduce_rise", 1e-9)
        + at_most(e["t-steps"], STAGES, "bound_deficit", 1e-9)
        + zero(e["t-steps"], STAGES[:2], "balance_error", 1e-12)
    )
)


@claim("T7")
def t7(evidence):
    """The polar is min over μ of ‖D_μG‖, convex in μ, and B.4 recovers its atom; the power iteration with
    its fallback is exact.

    §4.4.1, §4.4.2, Appendix B.4: “Proposition 21”
    """
    columns = {"miss": 1e-6, "below": 1e-8, "duality": 1e-6, "recovery": 1e-6, "closed_form": 1e-6}
    return zeros(evidence["t7"], "random", columns) + at_most(evidence["t7"], "random", "concave", 1e-9)


@claim("T8")
def t8(evidence):
    """At the optimum by singular value thresholding κ°(−∇ℓ) = λ, ⟨−∇ℓ, W*⟩ = λκ(W*) and the dual bound is
    F*; gcg ends there.

    §2, optimality conditions of ℓ + λκ: “polar”
    """
    columns = {"polar_error": 1e-8, "alignment_error": 1e-8, "dual_error": 1e-8, "gcg_error": 1e-6}
    return zeros(evidence["t-optimum"], "optimum", columns)


statement("""T9: The constant observed along gcg stays below 2C²(1 + α⁻²)/λ² with C = ½‖P(X)‖² (eq. 52 in the
scale of the sum).

§4.3, eq. (52): “L_F ≤ 2L sup(ρ²/α²‖A‖² + ‖W_t‖²)”
""")(lambda e: at_most(e["t-optimum"], "optimum", "LF", "LF_bound"))

statement("""T10.a, below the line search: With the same atoms, F after the totally corrective weights (42) is
at most F after the line search (40).

§3.3, eq. (42): “the totally corrective CG will converge at least as fast as the vanilla CG”
""")(lambda e: at_most(e["t10"], "corrective", "search_excess", 1e-12))
statement("""T10.b, the Gram matrix: Value and gradient by the Gram matrix agree with those by images to
10⁻¹⁰, the optimum with that of an active-set method to 10⁻⁸.
""")(lambda e: zeros(e["t10"], "corrective", {"gram_difference": 1e-10, "optimum_difference": 1e-8}))

statement("""T11.a, the lifted cone: JS on the lifted cone is Frank-Wolfe on the trace-norm ball: the block W
of its iterates is that of the other method to 10⁻¹⁰, their trace 2ζ to 10⁻¹².

§3.1, and §5.1 of JS: “Algorithm 1 can be directly applied as long as (21) has a bounded domain”
""")(lambda e: zeros(e["t11"], "lifted", {"difference": 1e-10, "trace_error": 1e-12}))


@claim("T11.b", "the penalised optimum")
def t11_constrained(evidence):
    """With ζ = ‖W*‖, ℓ(W_k) + λζ never falls below F* (by 10⁻⁴ of it, the accuracy of ζ), and ends within 2
    %.
    """
    panel, excess = evidence["t11"], "constrained_excess"
    return at_least(panel, "lifted", excess, -0.0001) + at_most(panel, "lifted", excess, 0.02, stat="last")


GEOMETRIES = ("t12", "t12-logistic")


statement("""T12.a, derivatives: The second-order model along the retraction of MMBS is right to O(t³); its
Hessian is symmetric to 10⁻⁹, its gradient horizontal to 10⁻¹⁰.

§5.1, MMBS, eq. (62): “(no formula in the text; as in Mishra et al. 2013, which it cites)”
""")(
    lambda e: (
        at_least([e[name] for name in GEOMETRIES], "geometry", "taylor_order", 2.5)
        + zeros([e[name] for name in GEOMETRIES], "geometry", {"asymmetry": 1e-9, "vertical": 1e-10})
    )
)


@claim("T12.b", "descent")
def t12_descent(evidence):
    """f + λ tr B never rises, by rank updates either, and ends within 10⁻⁷ of the dual bound."""
    panels = [evidence[name] for name in GEOMETRIES]
    return at_most(panels, "geometry", "rise", 1e-12) + at_most(panels, "geometry", "gap", 1e-7, stat="last")


statement("""T13: The dictionary of (56) gives the canonical correlations.

§4.4: “Proposition 20 (White et al. 2012, Proposition 1)”
""")(
    lambda e: zeros(
        e["t13"], "random", dict.fromkeys(("optimum", "correlations", "constraints", "lengths"), 1e-8)
    )
)


@claim("T15")
def t15(evidence):
    """H = 0 is a fixed point of BCD if and only if max_i ‖c_iᵀ∇ℓ(0)‖ ≤ λ, which random dictionaries of t
    columns miss with probability 1 − (1 − 2Φ̄(λ/√(2m)))^t, within four standard deviations.

    §5.3.2: “under the random initialization of A and B, the proximal update simply sets H to 0 when the
    regularization is too strong”
    """
    traps = evidence.panels("trap-[234]0")
    return at_most(traps, "dictionaries", "mistakes", 0) + at_most(traps, "dictionaries", "deviation", 4)


statement("""T16: F at the clean data is within 1 % of 270,000 + λ·10·√200.

Figures 10 and 11, lowest ticks 2.8 and 2.75: “Denoising on synthetic data”
""")(lambda e: zero(e["t16"], "truth", "off", 0.01))


@claim("T17")
def t17(evidence):
    """An atom on the signs of a column's noise gains √120 + 5√150 = 72.2, so that for λ = 60 and 40, not for
    80, F at the truth is beaten by fitting the noise.

    §5.3.1: “under-regularization does indeed cause overfitting in this case”
    """

    def off_the_slope(rows):
        return (rows["slope"] - 72.2).abs()

    def change_at_60_and_40(rows):
        return rows["change"].where(rows["weight"] < 80)

    def gain_at_80(rows):
        return rows["gain"].where(rows["weight"] == 80).abs()

    panel, own = evidence["t16"], "truth"
    findings = at_most(panel, own, off_the_slope, 0.1) + at_most(panel, own, change_at_60_and_40, -0.02)
    return findings + at_most(panel, own, gain_at_80, 1e-9)
