import pytest
from artifact import Basket


@pytest.fixture
def basket():
    return Basket({"apple": 20, "bread": 300})


@pytest.mark.parametrize(("count", "price"), [(0, 0), (1, 20), (2, 40), (3, 40), (4, 60), (6, 80)])
def test_every_third_piece_is_free(basket, count, price):
    basket.add("apple", count)
    assert basket.total() == price


def test_items_are_counted_apart(basket):
    basket.add("bread")
    basket.add("apple", 2)
    basket.add("bread")
    assert basket.items() == [("apple", 2), ("bread", 2)]
    assert basket.total() == 640


def test_removing(basket):
    basket.add("apple", 3)
    basket.remove("apple")
    assert basket.items() == [("apple", 2)]
    basket.remove("apple", 2)
    assert basket.items() == []


def test_removing_more_than_there_is(basket):
    basket.add("bread")
    basket.remove("bread", 5)
    basket.remove("apple")
    assert basket.items() == []
    assert basket.total() == 0


def test_unknown_item(basket):
    with pytest.raises(KeyError):
        basket.add("car")
