"""A small stand-in for the package of this name: conditions as decorators, checked at every call."""

import functools


class PreContractError(AssertionError):
    """A precondition does not hold."""


class PostContractError(AssertionError):
    """A postcondition does not hold."""


def pre(condition):
    def decorate(function):
        @functools.wraps(function)
        def checked(*args, **kwargs):
            if not condition(*args, **kwargs):
                raise PreContractError
            return function(*args, **kwargs)

        return checked

    return decorate


def post(condition):
    def decorate(function):
        @functools.wraps(function)
        def checked(*args, **kwargs):
            result = function(*args, **kwargs)
            if not condition(result):
                raise PostContractError
            return result

        return checked

    return decorate
