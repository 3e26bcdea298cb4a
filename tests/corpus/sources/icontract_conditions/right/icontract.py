"""A small stand-in for the package of this name: conditions as decorators, checked at every call."""

import functools
import inspect


class ViolationError(AssertionError):
    """A condition does not hold."""


def _check(condition, values, description):
    wanted = inspect.signature(condition).parameters
    if not condition(**{name: values[name] for name in wanted}):
        raise ViolationError(description or "a condition does not hold")


def require(condition, description=None):
    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            _check(condition, bound.arguments, description)
            return function(*args, **kwargs)

        return checked

    return decorate


def ensure(condition, description=None):
    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            result = function(*args, **kwargs)
            _check(condition, {**bound.arguments, "result": result}, description)
            return result

        return checked

    return decorate
