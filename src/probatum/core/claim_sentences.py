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
    "math.currency_mixed": "The statement is not decided: it mixes amounts of unlike currencies.",
    "math.rounding_unclear": "The statement is not decided: it leaves open how it is rounded.",
    "math.beyond": "The statement is beyond what can be decided exactly.",
}
_DATA: Final = {
    "engine.data_empty": "The claim was not judged: no value is given.",
    "engine.data_mixed_types": "The claim was not judged: the values, or the claim and they, are of unlike types.",
    "engine.data_missing": "The claim was not judged: a value is missing in the data.",
    "engine.data_ambiguous": "The claim was not judged: the data can be read in more than one way.",
    "engine.data_unreadable": "The claim was not judged: the data cannot be read.",
    "engine.data_ragged": "The claim was not judged: the rows of the data have unlike lengths.",
    "engine.data_column": "The claim was not judged: the data have no such column, or have it twice.",
}
_STATS: Final = {
    "stats.holds": "The statement is true of the data.",
    "stats.fails": "The statement is false of the data.",
    "stats.mode_unique_match": "The claimed value is the one that is most frequent in the data.",
    "stats.mode_ambiguous_tie": "The statement is not decided: several values are equally frequent.",
    "stats.syntax": "The statement could not be read as a claim about a statistic.",
    "stats.kind_missing": "The claim was not judged: it has to say whether it is of a population or of a sample.",
    "stats.method_missing": "The claim was not judged: it has to say by which method the quantile is computed.",
    "stats.other_missing": "The claim was not judged: it needs a second list of values.",
    "stats.unpaired": "The claim was not judged: the two lists have unlike lengths.",
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
_LINEAR: Final[dict[str, str]] = {}
_UNITS: Final[dict[str, str]] = {}
_DATES: Final[dict[str, str]] = {}
_LOGIC: Final = {
    "logic.holds": "The statement is true.",
    "logic.fails": "The statement is false.",
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
_RULES: Final = {
    "rules.follows": "The statement follows from the sentences that are given.",
    "rules.contradicted": "The opposite of the statement follows from the sentences that are given.",
    "rules.unknown": "The sentences that are given lead neither to the statement nor to its opposite.",
    "rules.contradiction": "The statement is not decided: the sentences that are given contradict each other.",
    "rules.vacuous": "The statement is not decided: nothing can meet what it supposes.",
    "rules.closed": "The statement is not decided: it is not clear what is absent where nothing else is true.",
    "rules.unread": "The statement is not decided: one of the sentences that are given is not plain enough to be read.",
    "rules.ambiguous": "The statement is not decided: one of the sentences can be read in more than one way.",
    "rules.pronoun": "The statement is not decided: it is not clear what a pronoun stands for.",
    "rules.empty": "The statement was not judged: it is empty, or nothing is given with it.",
    "rules.statement": "The statement was not judged: it could not be read as one plain sentence.",
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
    "sql.wrong_arguments": "The query calls a function with a wrong number of values.",
    "sql.ambiguous_column": "The query names a column that can be more than one.",
    "sql.ambiguous_table": "The query gives one name to two sources.",
    "sql.column_count": "The query puts unlike numbers of columns together.",
    "sql.misplaced_aggregate": "The query has an aggregate where none may stand.",
    "sql.not_grouped": "The query uses a column that is not grouped.",
    "sql.type_mismatch": "The query puts values of unlike kinds together.",
    "sql.always_true": "The query is not proved sound: a condition of it holds for every row.",
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
    "graph.stated": "The text states this.",
    "graph.denied": "The text states the opposite.",
    "graph.not_stated": "The statement is not decided: what is given does not state it.",
    "graph.not_read": "The statement is not decided: it is not plain enough to be compared with the text.",
    "graph.partial": "The statement is not decided: the text states a part of it alone.",
    "graph.contradiction": "The statement is not decided: the text states it and its opposite.",
    "graph.scope": "The statement is not decided: the text may not mean its sentences as they stand.",
    "graph.no_facts": "The statement is not decided: the text states no fact that could be compared with it.",
    "graph.no_node": "The statement is not decided: it names something that no edge has.",
    "graph.ambiguous": "The statement is not decided: it can mean more than one thing for the edges that are given.",
    "graph.provider_drift": "The statement is not decided, and what models suggest about it differs.",
    "graph.heuristic_supported": "The statement is not decided; only a heuristic speaks for it.",
    "graph.llm_fallback": "The statement is not decided; what models suggest about it decides nothing.",
    "graph.empty": "The statement was not judged: it is empty, or nothing is given with it.",
    "graph.edge": "The statement was not judged: an edge that is given could not be read.",
    "graph.statement": "The statement was not judged: it could not be read as one about a graph.",
}
_FACTS: Final = {
    "facts.stated": "The text states this.",
    "facts.denied": "The text states the opposite.",
    "facts.not_stated": "The statement is not decided: the text does not state it in so many words.",
    "facts.figures": "The statement is not decided: it has a figure that the text does not have.",
    "facts.partial": "The statement is not decided: the text states a part of it alone.",
    "facts.contradiction": "The statement is not decided: the text states it and its opposite.",
    "facts.scope": "The statement is not decided: the text may not mean its sentences as they stand.",
    "facts.pronoun": "The statement is not decided: it begins with a word that points to something before it.",
    "facts.provider_drift": "The statement is not decided, and what models suggest about it differs.",
    "facts.heuristic_supported": "The statement is not decided; only a heuristic speaks for it.",
    "facts.llm_fallback": "The statement is not decided; what models suggest about it decides nothing.",
    "facts.empty": "The statement was not judged: it is empty, or nothing is given with it.",
    "facts.statement": "The statement was not judged: it is not one sentence that states something.",
}
_IMAGE: Final = {
    "image.holds": "The statement about the image is true.",
    "image.fails": "The statement about the image is false.",
    "image.content": "The statement is not decided: it is about what is not measured, such as what the image shows.",
    "image.partial": "The statement is not decided: a part of it speaks of what is not measured.",
    "image.unclear": "The statement is not decided: it can be read in more than one way.",
    "image.beyond": "The statement is not decided: the image does not settle it.",
    "image.no_claim": "The text states nothing of the image.",
    "image.syntax": "The statement about the image could not be read.",
    "image.empty": "The image was not judged: it is empty.",
    "image.encoding": "The image was not judged: it is not given as base64 text.",
    "image.format": "The image was not judged: its format is not known.",
    "image.damaged": "The image was not judged: it is damaged or not complete.",
    "image.trailing": "The image was not judged: something follows after its end.",
}
_CODE: Final = {
    "code.holds": "The statement about the code is true.",
    "code.fails": "The statement about the code is false.",
    "code.outside_subset": "The statement is not decided: the code goes beyond what is analysed.",
    "code.not_evident": "The statement is not decided: the code does not settle it evidently.",
    "code.beyond": "The statement is not decided: it is no property that is decided by reading code.",
    "code.safety_unclaimable": "The statement is not decided: that code is safe or unsafe is never established.",
    "code.no_claim": "The text states nothing of the code.",
    "code.empty": "The code was not judged: there is none.",
    "code.syntax": "The code was not judged: it is not valid Python.",
    "code.encoding": "The code was not judged: it declares an encoding other than UTF-8.",
    "code.not_python": "The code was not judged: it seems to be of another language than Python.",
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
    "reasoning.every_step_derived": "Every step is derived again, and the text says nothing else.",
    "reasoning.step_wrong": "A step of the derivation is wrong.",
    "reasoning.no_step": "The text has no step that could be derived again.",
    "reasoning.step_open": "A step cannot be derived as it is written.",
    "reasoning.partial": "The steps hold, but the text says more than they do.",
    "reasoning.context_not_derived": "The steps hold, but it is not derived that they follow from the context.",
}
_CONSENSUS: Final = {
    "consensus.agreed": "Every claim is established, and there are at least two.",
    "consensus.refuted": "One of the claims is false.",
    "consensus.open": "One of the claims is not decided.",
    "consensus.too_few": "There are no two distinct claims.",
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
    **_RULES,
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
