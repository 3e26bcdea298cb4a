"""Baskets of a shop."""


class Basket:
    """Articles that one customer has chosen."""

    def __init__(self, customer: str) -> None:
        self.customer = customer
        self.articles: list[str] = []

    def put(self, article: str) -> int:
        """Put an article into the basket and return how many different ones are in it now.

        >>> Basket("ann").put("pen")
        1
        """
        if article not in self.articles:
            self.articles.append(article)
        return len(self.articles)

    def put_all(self, articles: list[str]) -> int:
        """Put several articles into the basket and return how many different ones are in it now.

        >>> Basket("bob").put_all(["ink", "cap", "ink"])
        2
        >>> Basket("bob").put_all([])
        0
        """
        for article in articles:
            self.put(article)
        return len(self.articles)

    def label(self) -> str:
        """Return what is printed on the basket.

        >>> Basket("eve").label()
        'eve: 0 articles'
        """
        return f"{self.customer}: {len(self.articles)} articles"
