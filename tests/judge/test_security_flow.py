"""Security of Python code: what comes from outside is followed to where it does harm, unless it was made safe."""

from __future__ import annotations

import pytest

from probatum.core.finding import Severity
from tests.judge.test_quality_code import issue_of, place_of, rules_in

IMPORTS = "import hashlib, os, pickle, random, re, requests, shlex, sqlite3, ssl, subprocess, tempfile, yaml\n"
WEB = "from flask import Flask, request, render_template_string\nimport xml.etree.ElementTree as ET\nimport os\n"
CASES = [
    (
        "shell_true",
        "def f(cmd):\n    subprocess.run(f'ls {cmd}', shell=True)\n",
        "def f(cmd):\n    subprocess.run(['ls', cmd])\n",
    ),
    (
        "shell_true",
        "name = input()\nsubprocess.call('ls ' + name, shell=True)\n",
        "name = shlex.quote(input())\nsubprocess.call('ls ' + name, shell=True)\n",
    ),
    (
        "shell_true",
        "def f(n):\n    subprocess.run('kill %s' % n, shell=True)\n",
        "def f(n: int):\n    subprocess.run('kill %s' % n, shell=True)\n",
    ),
    ("shell_system", "def f(cmd):\n    os.system(cmd)\n", "def f(cmd):\n    os.system('ls')\n"),
    (
        "shell_system",
        "def f():\n    c = os.environ['A']\n    os.system(c.strip())\n",
        "def f():\n    c = len(os.environ['A'])\n    os.system(f'x {c}')\n",
    ),
    (
        "shell_system",
        "def f(a):\n    if a not in ('x', 'y'):\n        print(a)\n    os.system(a)\n",
        "def f(a):\n    if a not in ('x', 'y'):\n        raise ValueError(a)\n    os.system(a)\n",
    ),
    (
        "shell_system",
        "def f(a):\n    if a.isalnum():\n        print(a)\n    os.system(a)\n",
        "def f(a):\n    if a.isalnum():\n        os.system(a)\n",
    ),
    (
        "shell_system",
        "def f(a):\n    for x in a:\n        os.system(x)\n",
        "def f(a):\n    for x in (1, 2):\n        os.system(str(x))\n",
    ),
    (
        "shell_system",
        "def f(a):\n    b = ''\n    for x in (1, 2):\n        os.system(b)\n        b = a\n",
        "def f(a):\n    b = a\n    b = ''\n    for x in (1, 2):\n        os.system(b)\n",
    ),
    (
        "code_injection",
        "def f(text):\n    return eval(text)\n",
        "import ast\ndef f(text):\n    return ast.literal_eval(text)\n",
    ),
    (
        "code_injection",
        "def f(a):\n    return [eval(x) for x in a]\n",
        "def f(a):\n    return [eval(x) for x in a if x in ('1', '2')]\n",
    ),
    ("code_evaluation", "def _f():\n    exec(g)\ng = input\n", "def _f():\n    exec('x = 1')\n"),
    (
        "unsafe_loading",
        "def f(data):\n    return pickle.loads(data)\n",
        "import json\ndef f(data):\n    return json.loads(data)\n",
    ),
    (
        "unsafe_loading",
        "def f(data):\n    return yaml.load(data)\n",
        "def f(data):\n    return yaml.load(data, Loader=yaml.SafeLoader)\n",
    ),
    (
        "sql_injection",
        "def f(cur, name):\n    cur.execute(f\"SELECT * FROM t WHERE n = '{name}'\")\n",
        "def f(cur, name):\n    cur.execute('SELECT * FROM t WHERE n = ?', (name,))\n",
    ),
    (
        "sql_injection",
        "def f(cur, name):\n    q = 'DELETE FROM t WHERE n = %s' % name\n    cur.execute(q)\n",
        "def f(cur, name):\n    q = 'DELETE FROM t WHERE n = %s' % int(name)\n    cur.execute(q)\n",
    ),
    (
        "sql_injection",
        "def f(cur, name):\n    cur.execute('SELECT * FROM {}'.format(name))\n",
        "TABLE = 't'\ndef f(cur):\n    cur.execute('SELECT * FROM {}'.format(TABLE))\n",
    ),
    ("temporary_name", "x = tempfile.mktemp()\n", "x = tempfile.mkstemp()\n"),
    ("secret", "password = 'hunter2!'\n", "password = 'password'\n"),
    ("secret", "f = dict(api_key='sk-abcdefghijklmnopqrstuvwx')\n", "f = dict(api_key=os.environ['KEY'])\n"),
    ("unverified_tls", "x = requests.get('https://a.b', verify=False)\n", "x = requests.get('https://a.b')\n"),
    (
        "unverified_tls",
        "c = ssl.create_default_context()\nc.verify_mode = ssl.CERT_NONE\n",
        "c = ssl.create_default_context()\n",
    ),
    ("debug_mode", "app.run(debug=True)\n", "app.run(debug=False)\n"),
]
STRANGERS = [
    (
        "path_traversal",
        "def f():\n    return open(os.path.join('/srv', request.args['p'])).read()\n",
        "def f():\n    return open(os.path.join('/srv', os.path.basename(request.args['p']))).read()\n",
    ),
    (
        "path_traversal",
        "app = Flask('a')\n@app.route('/<p>')\ndef f(p):\n    return open(p)\n",
        "app = Flask('a')\n@app.route('/<p>')\ndef f(p: int):\n    return open(f'{p}.txt')\n",
    ),
    (
        "template_injection",
        "def f():\n    return render_template_string(request.form['t'])\n",
        "def f():\n    return render_template_string('{{ t }}', t=request.form['t'])\n",
    ),
    (
        "xml_entities",
        "def f():\n    return ET.fromstring(request.data)\n",
        "def f():\n    return ET.fromstring('<a/>')\n",
    ),
]


@pytest.mark.parametrize(("rule", "bad", "good"), CASES, ids=[f"{each[0]}{index}" for index, each in enumerate(CASES)])
def test_harm_is_found_and_what_is_safe_is_not(rule: str, bad: str, good: str) -> None:
    assert rule in rules_in({"code": IMPORTS + bad})
    assert rule not in rules_in({"code": IMPORTS + good})


@pytest.mark.parametrize(("rule", "bad", "good"), STRANGERS)
def test_what_strangers_send_is_followed(rule: str, bad: str, good: str) -> None:
    assert rule in rules_in({"code": WEB + bad})
    assert rule not in rules_in({"code": WEB + good})


def test_a_shell_command_is_told_as_the_schema_of_results_shows_it() -> None:
    code = "import subprocess\n\ndef run(user_input):\n    subprocess.run(f'ls {user_input}', shell=True)\n"
    found = issue_of("shell_true", code)
    assert (found.severity, found.kind, place_of(found)) == (Severity.WARNING, "security_issue", "line:4")
    assert found.suggestion == "Use subprocess with a list of arguments instead of shell=True"


def test_a_value_is_followed_through_functions_of_the_module() -> None:
    inner = "import os\ndef _run(cmd):\n    os.system('ls ' + cmd)\n"
    assert "shell_system" not in rules_in({"code": inner})
    assert place_of(issue_of("shell_system", {"code": f"{inner}def f():\n    _run(input())\n"})) == "line:5"
    through = "import os\ndef _name(x):\n    return x.strip()\ndef f():\n    os.system(_name(input()))\n"
    assert place_of(issue_of("shell_system", {"code": through})) == "line:5"
    method = (
        "import os\nclass A:\n    def _run(self, c):\n        os.system(c)\n    def f(self, c):\n        self._run(c)\n"
    )
    assert place_of(issue_of("shell_system", {"code": method})) == "line:6"
    assert "shell_system" in rules_in({"code": f"{method}class B:\n    def _run(self, c):\n        print(c)\n"})


def test_each_place_is_told_once() -> None:
    code = "import os\ndef f(a):\n    for x in a:\n        for y in a:\n            os.system(x)\n"
    assert rules_in({"code": code}).count("shell_system") == 1


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200b", "\U000e0041"])
def test_characters_that_hide_code_are_named(sign: str) -> None:
    code = f"def f(a):\n    x = 'a{sign}'  # comment\n    return x\n"
    found = issue_of("hidden_text", {"code": code})
    assert place_of(found) == "line:2"
    assert f"U+{ord(sign):04X}" in found.message
    assert sign not in found.message
    assert "hidden_text" in rules_in(f"```js\nlet a = '{sign}';\n```\n")


def test_hebrew_and_emoji_are_no_attack() -> None:
    assert rules_in("\u05e9\u05dc\u05d5\u05dd \u2067abc\u2069") == []
    assert rules_in("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f") == []
