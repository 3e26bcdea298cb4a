"""The sentences that an agent may see about claims, by engine: data for the catalogue of `core.messages`.

As there, no sentence tells a rule, a matched text or how something was decided; whoever made the claim can still mend
it by what the sentence says.
"""

from __future__ import annotations

from typing import Final

_EVERY: Final = {
    "engine.extra_missing": "The claim was not judged: a package that it needs is not installed.",
    "engine.non_finite": "The claim was not judged: a value that is given with it is not a finite number.",
    "engine.out_of_budget": "The claim was not decided within its budget.",
    "engine.too_large": "The claim is larger or nested deeper than the budget allows.",
    "engine.invalid": "The claim was not judged: what is given with it cannot be read.",
}
_MATH: Final = {
    "math.holds": "The statement is true.",
    "math.fails": "The statement is false.",
    "math.no_claim": "The text states nothing that could be true or false.",
    "math.syntax": "The statement could not be read as mathematics.",
    "math.undefined": "The statement is not decided: a part of it has no value.",
    "math.currency_mixed": "The statement is not decided: it mixes amounts in different currencies.",
    "math.rounding_unclear": "The statement is not decided: it leaves open how it is rounded.",
    "math.beyond": "The statement is beyond what can be decided exactly.",
    "math.form": "The statement has a form that is not read, or one of its operations lacks a part.",
    "math.unknown_function": "The statement names a function that is not known, or with too few or too many arguments.",
    "math.declaration": "A declaration could not be read, or contradicts another one.",
    "math.domain_needed": "The statement is not decided: it depends on names for which nothing is declared.",
    "math.vacuous": "The statement is not decided: nothing is known to meet all its conditions.",
    "math.constant_missing": "The statement is not decided: an indefinite integral lacks its constant.",
}
_DATA: Final = {
    "engine.data_empty": "The claim was not judged: no value is given.",
    "engine.data_mixed_types": "The claim was not judged: the values, or the claim and the values, differ in type.",
    "engine.data_missing": "The claim was not judged: a value is missing in the data.",
    "engine.data_ambiguous": "The claim was not judged: the data can be read in more than one way.",
    "engine.data_unreadable": "The claim was not judged: the data cannot be read.",
    "engine.data_ragged": "The claim was not judged: the rows of the data have different lengths.",
    "engine.data_column": "The claim was not judged: the data have no such column, or have it more than once.",
}
_STATS: Final = {
    "stats.holds": "The statement is true of the data.",
    "stats.fails": "The statement is false of the data.",
    "stats.mode_unique_match": "The claimed value is the most frequent one in the data.",
    "stats.mode_ambiguous_tie": "The statement is not decided: several values are equally frequent.",
    "stats.syntax": "The statement could not be read as a claim about a statistic.",
    "stats.kind_missing": "The claim was not judged: it has to say whether a population or a sample is meant.",
    "stats.method_missing": "The claim was not judged: it has to say by which method the quantile is computed.",
    "stats.other_missing": "The claim was not judged: it needs a second list of values.",
    "stats.unpaired": "The claim was not judged: the two lists have different lengths.",
    "stats.undefined": "The statement is not decided: the data do not define this statistic.",
    "stats.beyond": "The statement is beyond what can be decided exactly.",
}
_FINANCE: Final = {
    "finance.holds": "The statement is true.",
    "finance.fails": "The statement is false.",
    "finance.irr_unique_match": "The statement is true of the only rate of return that the flows have.",
    "finance.irr_multiple_roots": "The statement is not decided: the flows have several rates of return.",
    "finance.irr_no_root": "The statement is not decided: the flows have no rate of return.",
    "finance.irr_non_convergent": "The statement is not decided: the rates of return could not be told apart.",
    "finance.flows_insufficient": "The claim was not judged: it needs two flows or more, not all of them zero.",
    "finance.flows_missing": "The claim was not judged: it needs cash flows.",
    "finance.kind_missing": "The claim was not judged: it has to say which of several definitions it means.",
    "finance.syntax": "The statement could not be read as a claim about a financial figure.",
    "finance.undefined": "The statement is not decided: a figure in it has no value.",
    "finance.beyond": "The statement is beyond what can be decided exactly.",
}
_LINEAR: Final = {
    "linear.holds": "What is claimed of the matrix is true.",
    "linear.fails": "What is claimed of the matrix is false.",
    "linear.syntax": "The claim about the matrix could not be read.",
    "linear.empty": "The claim was not judged: the matrix, or a list in it, is empty.",
    "linear.ragged": "The claim was not judged: the rows of a matrix have different lengths.",
    "linear.not_rational": "The claim was not judged: an entry is not a rational number.",
    "linear.not_square": "The claim was not judged: it is about square matrices, and this one is not square.",
    "linear.shapes": "The claim was not judged: the shapes of what it compares, adds or multiplies do not fit.",
    "linear.other": "The claim was not judged: it is about a second matrix, which is not given.",
    "linear.vector": "The claim was not judged: it needs a vector that fits the matrix.",
    "linear.eigenvalues_cardinality": "The claim is false: the matrix has a different number of eigenvalues.",
    "linear.singular": "The claim is false: the matrix has no inverse.",
    "linear.no_solution": "The claim is false: the system has no solution.",
    "linear.not_unique": "The claim is not decided: the system has more than one solution.",
    "linear.not_symmetric": "The claim is not decided: definiteness is unclear for a matrix that is not symmetric.",
    "linear.multiplicity_unclear": "The claim is not decided: it leaves open how often each eigenvalue is meant.",
    "linear.beyond": "The claim is beyond what can be decided exactly about matrices.",
}
_UNITS: Final = {
    "units.holds": "The statement is true.",
    "units.fails": "The statement is false.",
    "units.dimension": "The statement compares or adds quantities of different kinds.",
    "units.ambiguous": "The statement is not decided: it depends on which of several units of one name is meant.",
    "units.temperature_unclear": "The statement is not decided: a temperature or a difference of two can be meant.",
    "units.angle_unclear": "The statement is not decided: it compares an angle with something that has none.",
    "units.below_absolute_zero": "The claim was not judged: a temperature lies below absolute zero.",
    "units.beyond": "The statement is beyond what can be decided exactly.",
    "units.undefined": "The statement is not decided: a part of it has no value.",
    "units.unknown": "The claim was not judged: it names an unknown unit.",
    "units.syntax": "The statement could not be read as one about quantities.",
}
_DATES: Final = {
    "dates.holds": "The statement is true.",
    "dates.fails": "The statement is false.",
    "dates.syntax": "The statement could not be read as a comparison of dates.",
    "dates.invalid": "The claim was not judged: it names a date or time that does not exist.",
    "dates.type": "The claim was not judged: it compares or adds what does not go together.",
    "dates.declaration": "The claim was not judged: a declaration given with it cannot be read.",
    "dates.calendar_missing": "The claim was not judged: business days need a declared weekend.",
    "dates.calendar_undeclared": "The claim was not judged: a date has to say which calendar it is in.",
    "dates.zone_missing": "The claim was not judged: a time has no zone where one is needed.",
    "dates.zone_unknown": "The claim was not judged: it names an unknown time zone.",
    "dates.zone_gap": "The statement is not decided: clocks skip a time that it names.",
    "dates.zone_fold": "The statement is not decided: a time that it names occurs twice on the clock.",
    "dates.day_length": "The statement is not decided: a day in it does not have 24 hours.",
    "dates.month_end": "The statement is not decided: a month has no such day, and no replacement is declared.",
    "dates.business_day_unclear": "The statement is not decided: it counts from a day that is not a business day.",
    "dates.beyond": "The statement is beyond the dates and times that can be decided.",
}
_LOGIC: Final = {
    "logic.holds": "The statement is true.",
    "logic.fails": "The statement is false.",
    "logic.not_entailed": "The statement is not decided: it does not follow from the premises, nor does its opposite.",
    "logic.no_claim": "The claim states nothing that could be true or false.",
    "logic.syntax": "The statement or a premise could not be read.",
    "logic.type": "The statement or a premise mixes types, or a declared type does not exist.",
    "logic.declaration": "A declaration could not be read, or a name is declared twice.",
    "logic.missing_declarations": "A name is used that is not declared.",
    "logic.unsupported": "The statement or a premise uses an operation that is not supported.",
    "logic.vacuous_premises": "The statement is not decided: its premises cannot hold together.",
    "logic.undefined": "The statement is not decided: it can divide by zero.",
    "logic.supremum_not_attained": "The claimed optimum is not attained, however close it is approached.",
    "logic.beyond": "The statement is beyond what can be decided exactly.",
}
_SQL: Final = {
    "sql.sound": "The query is sound: it only reads what the tables have.",
    "sql.equivalent": "The two queries give the same rows on every database.",
    "sql.not_equivalent": "The two queries give different rows on some database.",
    "sql.equivalence_open": "It is not decided whether the two queries give the same rows.",
    "sql.syntax": "The statement could not be read as a query.",
    "sql.schema": "The declared tables could not be read.",
    "sql.dialect": "The SQL dialect is not known.",
    "sql.several_statements": "There is more than one statement.",
    "sql.not_read_only": "The statement does more than read.",
    "sql.dangerous": "The query does something that no query for these tables may do.",
    "sql.unknown_table": "The query names a table that does not exist.",
    "sql.unknown_column": "The query names a column that does not exist.",
    "sql.unknown_function": "The query calls a function that is not known.",
    "sql.wrong_arguments": "The query calls a function with the wrong number of values.",
    "sql.ambiguous_column": "The query names a column that could be one of several.",
    "sql.ambiguous_table": "The query gives one name to two sources.",
    "sql.column_count": "The query combines different numbers of columns.",
    "sql.misplaced_aggregate": "The query has an aggregate where none may stand.",
    "sql.not_grouped": "The query uses a column that is not grouped.",
    "sql.type_mismatch": "The query combines values of different kinds.",
    "sql.always_true": "The query is not proved sound: one of its conditions may hold for every row.",
    "sql.runaway": "The query is not proved sound: its work has no bound that is plain to see.",
    "sql.beyond": "The query is beyond what can be decided here.",
}
_SCHEMA: Final = {
    "schema.satisfied": "The document satisfies the schema.",
    "schema.violated": "The document does not satisfy the schema.",
    "schema.doubtful": "The claim is not decided: a word of the schema has no meaning in its draft.",
    "schema.beyond": "The claim is beyond what can be decided and checked.",
    "schema.syntax": "The statement, the document or the schema could not be read.",
}
_GRAPH: Final = {
    "graph.holds": "The statement is true of the edges that are given.",
    "graph.fails": "The statement is false of the edges that are given.",
    "graph.syntax": "The statement could not be read as one about a graph.",
    "graph.not_stated": "The statement is not decided: the edge is not given.",
    "graph.no_node": "The statement is not decided: it names a node that no edge has.",
    "graph.ambiguous": "The statement is not decided: it can mean more than one thing for the edges that are given.",
    "graph.empty": "The statement was not judged: no edge is given.",
    "graph.edge": "The statement was not judged: an edge that is given could not be read.",
}
_FACTS: Final = {
    "facts.stated": "The text contains these words; what it says about them elsewhere was not judged.",
    "facts.not_stated": "The statement is not decided: the text does not contain its words.",
    "facts.provider_drift": "The statement is not decided, and what models suggest about it differs.",
    "facts.heuristic_supported": "The statement is not decided; only a heuristic speaks for it.",
    "facts.llm_fallback": "The statement is not decided; what models suggest about it decides nothing.",
    "facts.empty": "The statement was not judged: it is empty, or the text is.",
}
_IMAGE: Final = {
    "image.holds": "The statement about the image is true.",
    "image.fails": "The statement about the image is false.",
    "image.beyond": "The statement is not decided: the image does not settle it.",
    "image.syntax": "The statement about the image could not be read.",
    "image.empty": "The image was not judged: it is empty.",
    "image.encoding": "The image was not judged: it is not given as base64 text.",
    "image.format": "The image was not judged: its format is not known.",
    "image.damaged": "The image was not judged: it is damaged or incomplete.",
}
_CODE: Final = {
    "code.holds": "The statement about the code is true.",
    "code.fails": "The statement about the code is false.",
    "code.outside_subset": "The statement is not decided: the code goes beyond what is analysed.",
    "code.not_evident": "The statement is not decided: reading the code does not settle it.",
    "code.no_claim": "The statement could not be read as one about code.",
    "code.empty": "The code was not judged: there is none.",
    "code.syntax": "The code was not judged: it is not valid Python.",
    "code.encoding": "The code was not judged: it declares an encoding other than UTF-8.",
    "code.not_python": "The code was not judged: it seems to be in a language other than Python.",
}
_EXECUTE: Final = {
    "execute.not_run": "The statement is not decided: the code was not run.",
    "execute.ran": "The code ran; what it gave establishes nothing by itself.",
    "execute.raised": "The code ran and gave no result.",
    "execute.timed_out": "The code was ended: it did not finish in its time.",
    "execute.runtime_unavailable": "The code was not run: no isolation is available here.",
    "execute.refused": "The code was not run: it uses what is not allowed.",
    "execute.syntax": "The code was not run: it is not valid Python.",
}
_REASONING: Final = {
    "reasoning.every_step_derived": "Every step of the derivation holds.",
    "reasoning.step_wrong": "A step of the derivation is false.",
    "reasoning.step_open": "A step of the derivation is not decided.",
    "reasoning.syntax": "The derivation could not be read as a list of steps.",
}
_CONSENSUS: Final = {
    "consensus.agreed": "Every claim is established, and there are at least two.",
    "consensus.refuted": "One of the claims is false.",
    "consensus.open": "One of the claims is not decided.",
    "consensus.too_few": "At least two distinct claims are needed.",
    "consensus.nested": "The claims were not judged: one of them is itself about several claims.",
    "consensus.syntax": "The statement or the list of claims could not be read.",
}

CLAIM_SENTENCES: Final = {
    **_EVERY,
    **_DATA,
    **_MATH,
    **_STATS,
    **_FINANCE,
    **_LINEAR,
    **_UNITS,
    **_DATES,
    **_LOGIC,
    **_SQL,
    **_SCHEMA,
    **_GRAPH,
    **_FACTS,
    **_IMAGE,
    **_CODE,
    **_EXECUTE,
    **_REASONING,
    **_CONSENSUS,
}
