"""The verifier keeps the rules of all verifiers, and knows a valid account number from a wrong one."""

from probatum_iban import IbanVerifier

from probatum.testing import check_verifier

VALID = ["GB82 WEST 1234 5698 7654 32", "DE89370400440532013000"]
WRONG = ["GB82 WEST 1234 5698 7654 33", "DE8937040044053201300", "", None, 12]


def test_it_keeps_the_rules():
    check_verifier(
        IbanVerifier(),
        accepts=[({}, {"iban": number}) for number in VALID],
        refuses=[({}, {"payee": [{"iban": number}]}) for number in WRONG],
    )
