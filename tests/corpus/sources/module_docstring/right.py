"""Roman numerals for the page numbers of a preface.

>>> to_roman(1)
'i'
>>> to_roman(4)
'iv'
>>> to_roman(9)
'ix'
>>> to_roman(14)
'xiv'
>>> to_roman(48)
'xlviii'
>>> to_roman(1994)
'mcmxciv'
>>> to_roman(0)
''
"""

_SIGNS = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


def to_roman(number):
    signs = []
    for value, sign in _SIGNS:
        count, number = divmod(number, value)
        signs.append(sign * count)
    return "".join(signs)
