"""Commands of a chat bot: text comes in, functions want values."""

from collections.abc import Callable
from functools import wraps


def command(function: Callable[..., str]) -> Callable[[str], str]:
    """Make a function of numbers a function of one text: words that are numbers become its arguments.

    >>> @command
    ... def difference(first, second):
    ...     return f"It is {first - second}."
    >>> difference("from 9 take 4")
    'It is 5.'
    >>> difference("1 and -1 please")
    'It is 2.'
    >>> difference("minus - 7 0")
    'It is 7.'
    >>> difference.__name__
    'difference'
    """

    @wraps(function)
    def called(text: str) -> str:
        numbers = [int(word) for word in text.split() if word.lstrip("-").isdecimal()]
        return function(*numbers)

    return called


@command
def add(*numbers: int) -> str:
    """Add the numbers in a text; words that are no whole numbers are passed over.

    >>> add("1 and 2")
    'The sum is 3.'
    >>> add("10 -4 x7")
    'The sum is 6.'
    >>> add("nothing")
    'The sum is 0.'
    """
    return f"The sum is {sum(numbers)}."


@command
def between(low: int, high: int) -> str:
    """Tell how many whole numbers lie strictly between two others, the smaller of which comes first.

    >>> between("3 7")
    'There are 3 numbers.'
    >>> between("from -1 to 1")
    'There is 1 number.'
    >>> between("4 5")
    'There are 0 numbers.'
    >>> between("4 4")
    'There are 0 numbers.'
    >>> between("1")
    Traceback (most recent call last):
        ...
    TypeError: between() missing 1 required positional argument: 'high'
    """
    count = max(0, high - low - 1)
    return "There is 1 number." if count == 1 else f"There are {count} numbers."
