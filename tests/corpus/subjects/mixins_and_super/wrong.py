"""Steps that clean text before it is stored."""


class Cleaner:
    """Takes away what nobody can see: soft hyphens and zero-width spaces."""

    def clean(self, text: str) -> str:
        """Return the cleaned text.

        >>> Cleaner().clean(" Hi!  you ")
        ' Hi!  you '
        >>> Cleaner().clean("data\\u00adbase \\u200bis")
        'database is'
        """
        return text.replace("\u00ad", "").replace("\u200b", "")


class LowerCase(Cleaner):
    """Makes text lower case, after what other steps do."""

    def clean(self, text: str) -> str:
        """Return the cleaned text in lower case.

        >>> LowerCase().clean("Hi YOU")
        'hi you'
        """
        return text.lower()


class SingleSpaces(Cleaner):
    """Keeps one space between words and none around them, after what other steps do."""

    def clean(self, text: str) -> str:
        """Return the cleaned text without needless spaces.

        >>> SingleSpaces().clean("  Hi   YOU ")
        'Hi YOU'
        """
        return " ".join(super().clean(text).split())


class TitleCleaner(LowerCase, SingleSpaces):
    """Cleans titles: single spaces, lower case, the first letter as a capital.

    >>> TitleCleaner().clean("  the  OLD   Man ")
    'The old man'
    >>> TitleCleaner().clean("x")
    'X'
    >>> TitleCleaner().clean("   ")
    ''
    """

    def clean(self, text: str) -> str:
        """Return the cleaned title.

        >>> TitleCleaner().clean("ÉTÉ  indien")
        'Été indien'
        """
        return super().clean(text).capitalize()
