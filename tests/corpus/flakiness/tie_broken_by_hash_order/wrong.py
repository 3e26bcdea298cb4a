"""Words of a text."""


def words_by_length(text: str) -> list[str]:
    """Return the different words of a text in lower case, the longest first, words of one length in order of the text.

    >>> len(words_by_length("The cat saw the dog, and ran"))
    6
    >>> words_by_length("a bear ate an apple")
    ['apple', 'bear', 'ate', 'an', 'a']
    >>> words_by_length("No, no!")
    ['no']
    >>> words_by_length(" ,! ")
    []
    """
    words = [word.strip(".,!?").lower() for word in text.split()]
    return sorted({word for word in words if word}, key=len, reverse=True)
