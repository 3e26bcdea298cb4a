"""`probatum serve`: the HTTP service.

Refuses to know how it is served: the runner is given.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from probatum.app.service_port import ServiceRequest, ServiceRunner
from probatum.app.settings import processors, read_settings
from probatum.cli.options import RecordOption, StoreOption, WorkersOption, option, path_option
from probatum.core.command import Given

_MEBIBYTE = 1024 * 1024
HostOption = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen at.")]
PortOption = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 for any.")]
TokensOption = Annotated[
    Path | None,
    path_option("--tokens", "FILE", "Who may ask: a line for each token, with its hash. Default: one new token."),
]
AddTokenOption = Annotated[
    str, option("--add-token", "ROLE:NAME", "Add a new token for agent, developer or auditor to --tokens; print it.")
]
CallerKeysOption = Annotated[
    Path | None,
    path_option("--caller-keys", "FILE", "Accept tokens too that one of these public keys signed, a JSON Web Key Set."),
]
CallerIssuerOption = Annotated[
    str, option("--caller-issuer", "NAME", "Who must have issued a token that was signed with --caller-keys.")
]
CallerAudienceOption = Annotated[
    str, option("--caller-audience", "NAME", "For whom such a token must have been issued.")
]
NoAuthOption = Annotated[
    bool, typer.Option("--unsafe-no-auth", help="Let ANYBODY ask who reaches the address, and see every layer.")
]
IssuerOption = Annotated[
    str, typer.Option("--issuer", metavar="NAME", help="What the service calls itself in tokens for its verdicts.")
]
SignOption = Annotated[
    str, option("--sign", "KEY", "Sign verdicts with this key of 'probatum key'. Default: a new one in memory.")
]
MaxBodyOption = Annotated[
    int, typer.Option("--max-body", metavar="BYTES", min=1, help="The largest body that is read.")
]
QueueOption = Annotated[int, typer.Option("--queue", metavar="N", min=1, help="How many requests may wait.")]
TimeoutOption = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="How long a request may take.")
]
RateOption = Annotated[
    int, typer.Option("--rate", metavar="N", min=0, help="Requests a minute for each token; 0 for any number.")
]
AllowSourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-source",
        metavar="PREFIX",
        help="Let requests name sources that begin so; may be repeated.",
        show_default=False,
    ),
]
LinterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--linter",
        metavar="NAME",
        help="Ask ruff or bandit about judged code; may be repeated.",
        show_default=False,
    ),
]


def serve_command(run_service: ServiceRunner) -> Callable[..., int]:
    """Return the command, with what serves behind it."""

    def serve(
        *,
        host: HostOption = "127.0.0.1",
        port: PortOption = 8006,
        tokens: TokensOption = None,
        add_token: AddTokenOption = "",
        caller_keys: CallerKeysOption = None,
        caller_issuer: CallerIssuerOption = "",
        caller_audience: CallerAudienceOption = "",
        unsafe_no_auth: NoAuthOption = False,
        store: StoreOption = None,
        ledger: RecordOption = None,
        issuer: IssuerOption = "probatum",
        sign: SignOption = "",
        max_body: MaxBodyOption = 8 * _MEBIBYTE,
        queue: QueueOption = 256,
        workers: WorkersOption = None,
        timeout: TimeoutOption = 120.0,
        rate: RateOption = 0,
        allow_source: AllowSourceOption = None,
        linter: LinterOption = None,
    ) -> int:
        """Serve every kind of question over HTTP, until a signal ends it.

        The line on standard output tells the address once it is ready, and the token where one was made. Each request
        is one line of JSON on standard error. After SIGTERM no request is begun, and what was begun is finished.

        Exit codes: 0 ended by a signal, 2 wrong usage, 4 a package or a worker is missing.
        """
        settings = read_settings()
        return run_service(
            ServiceRequest(
                host=host,
                port=port,
                store=settings.store_path(store),
                ledger=settings.recording_path(ledger),
                tokens=tokens,
                add_token=add_token,
                caller_keys=caller_keys,
                caller_issuer=caller_issuer,
                caller_audience=caller_audience,
                no_auth=unsafe_no_auth,
                issuer=issuer,
                sign=sign,
                most_bytes=max_body,
                queue=queue,
                workers=workers or processors(),
                timeout=timeout,
                per_minute=rate,
                given=Given(options={"allow-source": list(allow_source or ()), "linter": list(linter or ())}),
                traces=settings.traces,
            )
        )

    return serve
