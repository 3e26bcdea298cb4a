def pack_runs(text: str) -> str:
    packed = ""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or text[place] != text[start]:
            packed += f"{text[start]}{place - start}"
            start = place
    return packed


def unpack_runs(packed: str) -> str:
    text = ""
    letter = ""
    digits = ""
    for each in packed:
        if each.isdigit():
            digits += each
        else:
            text += letter * int(digits or "0")
            letter, digits = each, ""
    return text
