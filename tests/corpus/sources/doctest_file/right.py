from fractions import Fraction


def scale_recipe(ingredients, portions, wanted):
    factor = Fraction(wanted, portions)
    scaled = {}
    for name, amount in ingredients.items():
        exact = Fraction(str(amount)) * factor
        scaled[name] = int(exact) if exact.denominator == 1 else round(float(exact), 1)
    return scaled
