"""Counting."""


def partitions(total, largest=None):
    """Return p(n, k), how many ways there are to write n as a sum of parts of at most k.

    p(n, k) = p(n, k - 1) + p(n - k, k),   p(0, k) = 1,   p(n, 0) = 0 for n > 0

    partitions(n) ≈ exp(π √(2n/3)) / (4n √3) for large n
    partitions(100) ≈ 1.9 · 10⁸
    partitions(5) = |{5, 4+1, 3+2, 3+1+1, 2+2+1, 2+1+1+1, 1+1+1+1+1}|
    partitions(n) = partitions(n, n)

    >>> partitions(0)
    1
    """
    if largest is None:
        largest = total
    ways = [1] + [0] * total
    for part in range(1, largest + 1):
        for amount in range(part, total + 1):
            ways[amount] += ways[amount - part]
    return ways[total]
