def is_balanced_plate(plate: str) -> bool:
    """Tell whether a plate has as many letters as digits.

    is_balanced_plate(AB12) => True
    is_balanced_plate(A123) => False
    is_balanced_plate(ABC1) => False
    is_balanced_plate(K7) => True
    is_balanced_plate(XYZ789) => True
    is_balanced_plate(Q) => False
    """
    letters = sum(each.isalpha() for each in plate)
    digits = sum(each.isdigit() for each in plate)
    return letters == digits
