"""Unsafe settings and written secrets, one place at a time, without following values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from probatum.judge.quality import sinks
from probatum.judge.quality.module import CodeModule, at
from probatum.judge.quality.scoring import QualityHit


def setting_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what is unsafe as it stands."""
    for node in module.nodes:
        match node:
            case ast.Call():
                yield from _call(module, node)
            case ast.Assign(targets=[target, *_], value=value):
                yield from _assigned(module, target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from _assigned(module, target, value)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield from _secret(key.value, value)
            case ast.Assert(test=test) if sinks.ACCESS.search(text := module.text(test)):
                yield at("assert_check", node, what=text)


def _call(module: CodeModule, node: ast.Call) -> Iterator[QualityHit]:
    name = module.called(node)
    given = {each.arg: each.value.value for each in node.keywords if isinstance(each.value, ast.Constant)}
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if given.get("verify") is False and name in sinks.FETCH_CALLS:
        yield at("unverified_tls", node, what="verify=False")
    elif name == "ssl._create_unverified_context":
        yield at("unverified_tls", node, what=name)
    elif name == "tempfile.mktemp":
        yield at("temporary_name", node)
    elif method == "run" and given.get("debug") is True:
        yield at("debug_mode", node)
    elif name in sinks.WEAK_HASHES and given.get("usedforsecurity") is not False and (what := _sensitive(module, node)):
        yield at("weak_hash", node, name=name, what=what)
    elif name in sinks.WEAK_RANDOM and (sensitive := _sensitive(module, node, with_arguments=False)):
        yield at("weak_random", node, what=sensitive)
    for each in node.keywords:
        yield from _secret(each.arg or "", each.value)


def _assigned(module: CodeModule, target: ast.expr, value: ast.expr) -> Iterator[QualityHit]:
    name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        name = str(target.slice.value)
    yield from _secret(name, value)
    if name == "verify_mode" and module.named(value) == "ssl.CERT_NONE":
        yield at("unverified_tls", value, what="CERT_NONE")


def _secret(name: str, value: ast.expr) -> Iterator[QualityHit]:
    text = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
    is_named = sinks.SECRET_NAME.search(name) and sinks.PLAIN_SECRET.fullmatch(text)
    if name and text and (is_named or sinks.SECRET_VALUE.match(text)):
        yield at("secret", value, name=name)


def _sensitive(module: CodeModule, node: ast.Call, *, with_arguments: bool = True) -> str:
    """Return the name of a secret that a call has to do with: what it is given, or what it is for."""
    texts = [module.text(each) for each in node.args] if with_arguments else []
    for above in module.ancestors(node):
        if isinstance(above, ast.Assign):
            texts.append(module.text(above.targets[0]))
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
            texts.append(above.name)
            break
    return next((match.group() for text in texts if (match := sinks.SENSITIVE.search(text)) is not None), "")
