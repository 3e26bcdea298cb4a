"""How a reader answers: the rules, short enough to be read at every call, and all that code may use."""

from __future__ import annotations

from typing import Final

from probatum.readings import vocabulary as words

MOST_INPUTS: Final = 15
"""What a reader is asked for at most, of one function."""
RULES: Final = (
    "Write in Python what each sentence under 'say' says, and nothing that the code might do: you do not see it."
    " Answer {CARD: {ID: CLAUSE, ..., 'inputs': [...], 'helpers': '...'}}."
    " A CLAUSE is a Python expression over `result`, which it names, and the parameters (`self` too) as before the"
    " call; it is true after every legal call. Of a class and `__init__`, `result` is the new object, and there is no"
    " `self`. Or, with its prefix:"
    " `effect: ` the same with NAME__after, an argument after the call;"
    " `raises ERROR: ` an expression over the parameters, ERROR is due where it or another such clause is true, and"
    " other calls return;"
    " `requires: ` which calls are legal; those with a documented error are;"
    " `session: ` statements that call the program, which nothing else does, and end in assert: for objects and several"
    " calls (`tmp_path` is an empty folder);"
    " `-` the words say nothing about behaviour;"
    " `?` they cannot be said in code. Several clauses: a list. Parts of a sentence, each word in one:"
    " {'its words': CLAUSE, 'and': '-', ...}."
    " Say all that the words settle, and nothing that they leave open."
    " 'inputs': 8 to 15 legal calls as argument tuples in text, such as \"([3, 1], 2)\", with limits and documented"
    " errors; of a class {'__init__': [\"(2,)\"], 'get': [\"(Cache(2), 'a')\"]}, of methods with the object first."
    " 'helpers': imports of pure modules, constants and functions that clauses and inputs may use. Helpers and inputs"
    " may name what the program defines, clauses its types."
    " Code only computes: no attributes that begin with _, no files, clock or chance."
)
RECORDS: Final = (
    "You read the documentation of a Python program. Write in Python what each sentence under 'say' says, and nothing"
    " that the code might do: you do not see it. Reply with JSON: {'records': [RECORD, ...]}, one RECORD for each name"
    " in 'names' about which something is said: {'function': the name, 'statements': [STATEMENT, ...], 'helpers': code"
    " or '', 'inputs': [...]}.\n"
    "A STATEMENT is {'text': words of a sentence, copied letter by letter, without the name of a parameter or exception"
    " before a colon; 'kind'; 'clause'; 'exception': its name for the kind raises, else ''}. Quote each word in one"
    " statement; quote a part of a sentence where its parts say different things. Kinds:\n"
    "- result: a Python expression over `result` and the parameters (`self` too) as before the call; true after every"
    " legal call that returns. Of a class, `result` is the new object.\n"
    "- effect: the same with NAME__after, an argument after the call.\n"
    "- raises: an expression over the parameters; where it is true, the exception is due, and elsewhere nothing is"
    " said.\n"
    "- requires: an expression over the parameters; which calls are legal. Those with a documented error are.\n"
    "- session: statements that call the program and end in assert; the only kind that calls it. For objects and"
    " several calls.\n"
    "- narrative: the words say nothing about behaviour; the clause is ''.\n"
    "A clause of '' with another kind says that the words cannot be put into code. Say all that the words settle, and"
    " nothing that they leave open. Say what the result is, not only its type.\n"
    f"'inputs' are 8 to {MOST_INPUTS} legal calls as argument tuples in text, such as \"([3, 1], 2)\", with limits and"
    " documented errors; of methods with the object first. 'helpers' are imports of pure modules, constants and"
    " functions that clauses and inputs use. Code only computes: no attributes that begin with _, no files, clock or"
    " chance."
)
"""The same for a model that replies with records, as `read --add` takes them."""
GUIDE: Final = (
    f"{RULES}\n\nBuilt-ins: {', '.join(sorted(words.BUILTINS - words.ERRORS))}, and exceptions.\n\n"
    f"Modules: {', '.join(sorted(words.MODULES))}; in sessions also"
    f" {', '.join(sorted(words.SESSION_MODULES - words.MODULES))}; and the packages that the program imports.\n\n"
    "Inputs may call environment(NAME): 'session', of SQLAlchemy, with rows of the program's models; 'scratch', a"
    " folder; 'clock', a function that gives a datetime; 'randomness', a random.Random.\n"
)
