"""Energy of electrical devices."""


def energy_cost(watts, hours, cents_per_kwh, standing=0):
    """Return what it costs to run a device, in cents.

    energy_cost(1000 W, 2 h, 30 ct/kWh) = 60 ct
    energy_cost(60 W, 10 h, 30 ct/kWh) = 18 ct
    energy_cost(0, 5, 30) = 0,00 €
    energy_cost(500, 4, 25, 100) -> 150 ct (standing charge included)
    energy_cost(2000, 1, 30) -> 60 to 61 ct

    >>> energy_cost(0, 0, 30)
    0
    """
    if watts < 0 or hours < 0:
        raise ValueError("a device cannot produce energy here")
    used = watts * hours
    return standing + max(1, round(used * cents_per_kwh / 1000))
