"""Helpers ported from the front end."""


def get_in(data, path, default=None):
    """Return the value at a path inside nested data.

    @example
    const user = {name: 'ada', tags: ['a', 'b'], address: {city: 'London'}};
    get_in(user, 'address.city') === 'London'; // true
    get_in(user, 'tags.1'); // 'b'
    get_in(user, 'tags.7'); // undefined
    get_in(user, 'address.street', () => 'unknown')(); // 'unknown'
    expect(get_in(user, 'name.first')).toBeUndefined();

    In Python:

    >>> get_in({"a": {"b": 1}}, "a.b")
    1
    """
    for key in path.split("."):
        if isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        elif isinstance(data, dict) and key in data:
            data = data[key]
        else:
            return default
    return data
