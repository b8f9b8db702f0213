"""Medians, spreads, and the interval of a ratio that needs no assumption about noise.

Timings on a shared machine are skewed and drift, so nothing here takes a mean or a normal
distribution. Round i gives the pair (ours_i, peer_i), measured one after the other; the ratio of
the task is the median of peer_i / ours_i, and its interval comes from the signs alone: the true
median lies between the k-th smallest and the k-th largest of n ratios with probability
1 - 2 P(Binomial(n, 1/2) < k), whatever the distribution. With five rounds that is the range of the
ratios, at 93.75 %.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Sequence

WANTED_COVERAGE = 0.95
# Below three rounds an interval covers so little that it decides nothing.
LEAST_COVERAGE = 0.7


@dataclasses.dataclass(frozen=True)
class Summary:
    """Rounds of one quantity: the median and the range of the middle half."""

    median: float
    low: float
    high: float

    @property
    def spread(self) -> float:
        """Width of the middle half as a share of the median."""
        return (self.high - self.low) / self.median if self.median > 0 else 0.0


@dataclasses.dataclass(frozen=True)
class Ratio:
    """The median of paired ratios, with the interval and the probability that it holds."""

    median: float
    low: float
    high: float
    coverage: float

    @property
    def decided(self) -> bool:
        """Whether the interval lies on one side of 1 and rests on at least three rounds."""
        return self.coverage > LEAST_COVERAGE and (self.low > 1 or self.high < 1)

    @property
    def lost(self) -> bool:
        """Whether the peer is faster beyond doubt."""
        return self.decided and self.high < 1


def summary(values: Sequence[float]) -> Summary:
    """The median and quartiles (inclusive method, so that one value is its own quartile)."""
    if not values:
        raise ValueError("no values to summarise")
    if len(values) == 1:
        return Summary(values[0], values[0], values[0])
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return Summary(middle, low, high)


def coverage(count: int, rank: int) -> float:
    """Probability that the median of a distribution lies between the rank-th smallest and the
    rank-th largest of `count` draws."""
    below = sum(math.comb(count, i) for i in range(rank))
    return 1 - 2 * below / 2**count


def median_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """(low, high, coverage): the narrowest sign interval that reaches the wanted coverage, or the
    whole range where so few values cannot reach it."""
    ordered = sorted(values)
    rank = 1
    while rank < (len(ordered) + 1) // 2 and coverage(len(ordered), rank + 1) >= WANTED_COVERAGE:
        rank += 1
    return ordered[rank - 1], ordered[-rank], coverage(len(ordered), rank)


def paired_ratio(ours: Sequence[float], peer: Sequence[float]) -> Ratio:
    """peer / ours, round by round; above 1 we are faster (or smaller)."""
    if len(ours) != len(peer) or not ours:
        raise ValueError(f"ratios need pairs ({len(ours)} of ours, {len(peer)} of the peer)")
    ratios = [b / a for a, b in zip(ours, peer)]
    low, high, share = median_interval(ratios)
    return Ratio(statistics.median(ratios), low, high, share)
