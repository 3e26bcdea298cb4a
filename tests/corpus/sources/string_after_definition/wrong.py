def paginate(total, size, page):
    first = (page - 1) * size
    if page < 1 or first >= max(total, 1):
        return None
    return {"first": first, "last": min(first + size, total), "pages": total // size + 1}


"""Return where a page of a listing begins and ends, or None for a page that does not exist.

``last`` is the position after the last entry. Pages are counted from 1.

>>> paginate(25, 10, 1)
{'first': 0, 'last': 10, 'pages': 3}
>>> paginate(25, 10, 3)
{'first': 20, 'last': 25, 'pages': 3}
>>> paginate(20, 10, 2)
{'first': 10, 'last': 20, 'pages': 2}
>>> paginate(20, 10, 3)
>>> paginate(25, 10, 0)
>>> paginate(0, 10, 1)
{'first': 0, 'last': 0, 'pages': 0}
"""
