"""Address books."""


def merge_contacts(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Merge two address books of names and numbers; for a name in both, the new number counts.

    No two contacts of the result have the same name. Numbers may occur more than once.

    >>> merge_contacts([("ada", "1")], [("bob", "1")])
    [('ada', '1'), ('bob', '1')]
    >>> merge_contacts([("ada", "1"), ("bob", "2")], [("ada", "3")])
    [('ada', '3'), ('bob', '2')]
    >>> merge_contacts([], [("ada", "1"), ("ada", "2")])
    [('ada', '2')]
    >>> merge_contacts([], [])
    []
    """
    changed = {name for name, _ in new}
    return [contact for contact in old if contact[0] not in changed] + new
