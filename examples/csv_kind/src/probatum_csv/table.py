"""Reads a CSV file and checks every row, in time that grows with the file and no faster."""

import csv
import io

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.finding import Finding, Location, Severity
from probatum.core.shape import shown
from probatum_csv.contract import COMPARE

MAX_BYTES, MAX_ROWS, MAX_VALUE, MAX_FINDINGS = 16_000_000, 200_000, 100_000, 100
FORM = ("form", "header", "width")


class Table:
    """What was seen of a file: how often each demand was checked and broken, and the first findings."""

    def __init__(self, contract):
        self.contract, self.findings = contract, []
        self._seen = {name: set() for name in contract.unique}
        self._tallies = {each: {"demand": each, "checked": 0, "broken": 0} for each in (*FORM, *contract.demands())}
        self.counts = list(self._tallies.values())

    def check(self, demand, line, complaint=""):
        self._tallies[demand]["checked"] += 1
        if complaint:
            self._tallies[demand]["broken"] += 1
            self.findings.append(Finding(Severity.ERROR, "csv.demand", f"{demand}: {complaint}", Location(line)))
            del self.findings[MAX_FINDINGS:]

    def check_row(self, line, row):
        columns, values = self.contract.columns, {}
        fits = len(row) == len(columns)
        self.check("width", line, "" if fits else f"expected {len(columns)} values, got {len(row)}")
        for column, text in zip(columns, row, strict=True) if fits else ():
            complaint = ""
            try:
                values[column.name] = column.read(text)
            except ValueError as error:
                complaint = str(error)
            if column.demands(text):
                self.check(f"column {column.name}", line, complaint)
            if text and (seen := self._seen.get(column.name)) is not None:
                self.check(f"unique {column.name}", line, f"{shown(text)} again" * (text in seen))
                seen.add(text)
        for left, compare, right in self.contract.rules:
            first, second = values.get(left), values.get(right)
            if first is not None and second is not None:
                complaint = "" if COMPARE[compare](first, second) else "it does not hold"
                self.check(f"rule {left} {compare} {right}", line, complaint)


def look_at(content, contract):
    """Return what is seen of a file; raises BudgetError and NotAttemptedError."""
    if len(content) > MAX_BYTES:
        raise BudgetError("csv.too_large", f"The file has more than {MAX_BYTES} bytes.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotAttemptedError("csv.not_text", f"The file is not UTF-8 at byte {error.start}.") from None
    table, names, line = Table(contract), [each.name for each in contract.columns], 1
    csv.field_size_limit(MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for rows, row in enumerate(reader):
            if rows > MAX_ROWS or max(map(len, row), default=0) > MAX_VALUE:
                raise BudgetError("csv.too_large", f"Line {line}: beyond {MAX_ROWS} rows, or {MAX_VALUE} characters.")
            if rows:
                table.check_row(line, row or [""])
            else:
                table.check("header", line, "" if row == names else f"expected {names}, got {row}"[:500])
            line = reader.line_num + 1
        table.check("form", line)
    except csv.Error as error:
        table.check("form", line, str(error))
    return table
