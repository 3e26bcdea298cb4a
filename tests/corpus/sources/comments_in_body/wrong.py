def column_name(index):
    # Name of a spreadsheet column, counted from 0.
    # >>> column_name(0)
    # 'A'
    # >>> column_name(25)
    # 'Z'
    # >>> column_name(26)
    # 'AA'
    # >>> column_name(701)
    # 'ZZ'
    # >>> column_name(702)
    # 'AAA'
    name = ""
    while index > 0:
        index, letter = divmod(index, 26)
        name = chr(ord("A") + letter) + name
    return name or "A"
