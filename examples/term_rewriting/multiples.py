"""Least common multiples of 1 .. n: rules over integers of 64 bits, and all terms in one run.

    PYTHONPATH=~/lockstep/lib/lockstep-0.2.0/python python3 multiples.py --engine oracle
"""

from __future__ import annotations

import argparse

import lockstep

RULES = """
sort Int64 = gcd(Int64, Int64) | lcm(Int64, Int64) | upTo(Int64);
var  N, M : Int64;
eqn  gcd(N, 0) = N;
     gcd(N, M) = gcd(M, mod64(N, M));
     lcm(N, M) = mul64(N, div64(M, gcd(N, M)));
     upTo(1) = 1;
     upTo(N) = lcm(N, upTo(sub64(N, 1)));
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="auto", help="an engine of `lockstep rewrite`")
    parser.add_argument("--largest", type=int, default=12)
    given = parser.parse_args()
    numbers = range(1, given.largest + 1)
    found = lockstep.rewrite(RULES, (f"upTo({n})" for n in numbers), engine=given.engine)
    for n, multiple in zip(numbers, found.normal_forms):
        print(f"{n:3} {multiple:>20}")
    print(f"{found.rewrites} rewrites, {found.operations} operations")


if __name__ == "__main__":
    main()
