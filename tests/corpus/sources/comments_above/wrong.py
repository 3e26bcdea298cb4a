import string

ALPHABET = string.digits + string.ascii_lowercase


# Writes a number in another base, with digits and small letters. The sign is kept.
#
# in_base(0, 2) => "0"
# in_base(10, 2) => "1010"
# in_base(255, 16) => "ff"
# in_base(-7, 8) => "-7"
# in_base(-35, 36) => "-z"
# in_base(36, 36) => "10"
def in_base(number: int, base: int) -> str:
    sign, rest = ("-", -number) if number < 0 else ("", number)
    digits = ""
    while rest:
        rest, digit = divmod(rest, base)
        digits += ALPHABET[digit]
    return sign + (digits or "0")
