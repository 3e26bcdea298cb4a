def longest_increase(values: list[int]) -> int:
    """
    Find the length of the longest run of neighbouring values that grow.

    Example 1:
        Input: values = [1, 2, 3, 2]
        Output: 3
        Explanation: the run is 1, 2, 3.

    Example 2:
        Input: values = [5, 4, 3]
        Output: 1

    Example 3:
        Input: values = [7, 1, 2, 2, 3, 4, 9]
        Output: 4

    Example 4:
        Input: values = []
        Output: 0
    """
    longest = current = 0
    for position, value in enumerate(values):
        grows = position > 0 and value >= values[position - 1]
        current = current + 1 if grows else 1
        longest = max(longest, current)
    return longest
