"""Packing of orders into parcels."""


def pack(weights: list[int], capacity: int) -> list[list[int]]:
    """Put every item into the first parcel that still has room for it.

    >>> pack([4, 3, 2], 10)
    [[4, 3, 2]]
    >>> pack([6, 5, 4], 10)
    [[6, 4], [5]]
    >>> pack([9, 9, 1, 1], 10)
    [[9, 1], [9, 1]]
    >>> pack([10, 1], 10)
    [[10], [1]]
    >>> pack([], 10)
    []
    """
    parcels: list[list[int]] = []
    for weight in weights:
        if weight > capacity:
            continue
        for parcel in parcels:
            if sum(parcel) + weight <= capacity:
                parcel.append(weight)
                break
        else:
            parcels.append([weight])
    return parcels
