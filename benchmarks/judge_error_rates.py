"""The judge's own error rate, on curves with a known truth: the table of docs/judging.md.

python benchmarks/judge_error_rates.py [draws]
"""

import sys

from projfree.evidence.judging.error_rates import cases, table

if __name__ == "__main__":
    found = table(cases(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
    print(found.to_string(index=False))
