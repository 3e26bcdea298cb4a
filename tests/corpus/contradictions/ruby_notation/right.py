"""Text helpers ported from a web framework."""


def to_sentence(words, connector="and", limit=None):
    """Join words into a sentence.

        to_sentence(nil)                     # => ""
        to_sentence(%w[one])                 # => :one
        to_sentence(%w[one two])             # => "one and two"
        to_sentence([:one, :two, :three])    # => "one, two and three"
        to_sentence %w[a b c], connector: "or"
        => "a, b or c"
        to_sentence(("a".."e").to_a, limit: 2)   #=> "a, b and others"

    >>> to_sentence(["one", "two"])
    'one and two'
    """
    if not words:
        return ""
    if limit is not None and len(words) > limit:
        words = [*words[:limit], "others"]
    if len(words) == 1:
        return words[0]
    return ", ".join(words[:-1]) + f" {connector} " + words[-1]
