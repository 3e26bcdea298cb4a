"""A client of the service: `JudgeClient`, `AsyncJudgeClient`, and the `ServiceError` of both."""

from probatum.client.asynchronous import AsyncJudgeClient
from probatum.client.exchange import KindAnswer, SeenVerdict, ServiceError
from probatum.client.synchronous import JudgeClient

__all__ = ["AsyncJudgeClient", "JudgeClient", "KindAnswer", "SeenVerdict", "ServiceError"]
