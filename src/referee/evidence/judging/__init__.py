"""How a claim is judged: quantifier(relation(statistic(curves), reference)); see docs/judging.md."""
