"""Order of builds."""


def build_order(needs: dict[str, list[str]]) -> list[str]:
    """Return targets so that each stands after what it needs; of several that are ready, the alphabetically first.

    Targets that need each other in a circle are left out.

    >>> build_order({"app": ["core", "ui"], "ui": ["core"], "core": []})
    ['core', 'ui', 'app']
    >>> sorted(build_order({"docs": [], "tools": [], "assets": []}))
    ['assets', 'docs', 'tools']
    >>> build_order({"a": ["b"], "b": []})
    ['b', 'a']
    >>> build_order({"a": ["b"], "b": ["a"], "c": []})
    ['c']
    >>> build_order({})
    []
    """
    waiting = {target: set(needed) for target, needed in needs.items()}
    order: list[str] = []
    while ready := {target for target, needed in waiting.items() if needed <= set(order)}:
        target = min(ready)
        order.append(target)
        del waiting[target]
    return order
