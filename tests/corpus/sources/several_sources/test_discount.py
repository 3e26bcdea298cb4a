from artifact import discount


def test_best_coupons_first():
    assert discount(9000, False, [100, 300, 200]) == 500


def test_nobody_gets_money_back():
    assert discount(100, False, [300]) == 100
    assert discount(0, True, [300]) == 0
