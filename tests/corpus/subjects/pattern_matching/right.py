"""Commands of a text adventure."""


def reaction(command: str, bag: list[str]) -> str:
    """Answer a command of a player who carries some things.

    >>> reaction("go north", [])
    'You go north.'
    >>> reaction("GO South", [])
    'You go south.'
    >>> reaction("go home", [])
    'There is no way home.'
    >>> reaction("drop lamp", ["lamp", "key"])
    'You drop the lamp.'
    >>> reaction("drop lamp", ["key"])
    'You have no lamp.'
    >>> reaction("drop all", ["lamp", "key"])
    'You drop 2 things.'
    >>> reaction("drop all", [])
    'You have nothing.'
    >>> reaction("look", [])
    'You look around.'
    >>> reaction("l", [])
    'You look around.'
    >>> reaction("", [])
    'Say something.'
    >>> reaction("sing loudly", ["lamp"])
    'You cannot sing.'
    >>> reaction("go", [])
    'You cannot go.'
    """
    match command.lower().split():
        case []:
            return "Say something."
        case ["go", "north" | "south" | "east" | "west" as direction]:
            return f"You go {direction}."
        case ["go", place]:
            return f"There is no way {place}."
        case ["look" | "l"]:
            return "You look around."
        case ["drop", "all"]:
            return f"You drop {len(bag)} things." if bag else "You have nothing."
        case ["drop", thing] if thing in bag:
            return f"You drop the {thing}."
        case ["drop", thing]:
            return f"You have no {thing}."
        case [verb, *_]:
            return f"You cannot {verb}."
