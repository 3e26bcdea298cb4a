"""The server as its protocol has it: tools, resources, progress, and what the client lends.

An error of a tool is an answer that the model can read; a call that makes no sense to the protocol is an error of the
protocol. Refuses resources that are none.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any, Final

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from probatum.app.agent_tools import proof_document
from probatum.app.mcp_port import McpRequest
from probatum.app.tool_calls import Calls
from probatum.core.errors import ProbatumError, UsageError
from probatum.core.outside import json_text
from probatum.core.version import __version__

Context = ServerRequestContext[Any, Any]
INSTRUCTIONS: Final = (
    "probatum checks whether Python functions do what their documentation says, and other outputs of models, before"
    " anything acts on them. After you write or change functions: call 'ask' with their paths, then 'answer' with what"
    " the sentences mean in code. The verdicts are in its reply: mend what is refuted, and never weaken documentation"
    " to get a pass."
)
RULES: Final = "probatum://rules"
PROOF: Final = "probatum://proof/"
_ROOTS: Final = "roots"
_SECONDS_FOR_ROOTS: Final = 10.0


def agent_server(calls: Calls, options: McpRequest) -> Server[Any]:
    """Return a server whose tools are called by ``calls``."""
    server = _AgentServer(calls, options)
    return Server(
        "probatum",
        version=__version__,
        title="probatum",
        instructions=INSTRUCTIONS,
        on_list_tools=server.list_tools,
        on_call_tool=server.call_tool,
        on_list_resources=server.list_resources,
        on_list_resource_templates=server.list_templates,
        on_read_resource=server.read_resource,
    )


class _AgentServer:
    """The handlers."""

    def __init__(self, calls: Calls, options: McpRequest) -> None:
        self._calls = calls
        self._options = options

    async def list_tools(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=each.tool.name,
                    description=each.tool.description,
                    input_schema=dict(each.tool.arguments),
                    annotations=types.ToolAnnotations(
                        read_only_hint=not each.tool.writes, destructive_hint=False, open_world_hint=False
                    ),
                )
                for each in self._calls.tools.values()
            ]
        )

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        client = await self._client_roots(context, params)
        if isinstance(client, types.InputRequiredResult):
            return client
        numbers = count(1)

        async def report(message: str) -> None:
            await context.session.report_progress(next(numbers), message=message)

        wants_progress = bool((context.meta or {}).get("progress_token"))
        try:
            text, is_error = await self._calls.call(
                params.name,
                params.arguments or {},
                self._calls.lent(client),
                str(id(context.session)),
                report if wants_progress else None,
            )
        except UsageError as error:
            raise MCPError(types.INVALID_PARAMS, f"{error.sentence} {error.hint}".strip()) from error
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)

    async def _client_roots(
        self, context: Context, params: types.CallToolRequestParams
    ) -> list[str] | None | types.InputRequiredResult:
        """Return the addresses that the client lends; None where it names none, or what asks for them."""
        capabilities = context.session.client_capabilities
        if capabilities is None or capabilities.roots is None:
            return None
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            told = (params.input_responses or {}).get(_ROOTS)
            if told is None:
                return types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})
            found = told if isinstance(told, types.ListRootsResult) else types.ListRootsResult(roots=[])
        else:
            found = await self._asked_roots(context)
        return [str(each.uri) for each in found.roots]

    async def _asked_roots(self, context: Context) -> types.ListRootsResult:
        """Return what the client answers; nothing where it does not: what it says it lends bounds what is lent."""
        related = None if context.request_id is None else ServerMessageMetadata(related_request_id=context.request_id)
        try:
            return await context.session.send_request(
                types.ListRootsRequest(), types.ListRootsResult, _SECONDS_FOR_ROOTS, related
            )
        except (MCPError, ValueError):
            return types.ListRootsResult(roots=[])

    async def list_resources(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        rules = types.Resource(
            uri=RULES,
            name="rules",
            description="How readings are written, with all that they may use.",
            mime_type="text/plain",
        )
        return types.ListResourcesResult(resources=[rules])

    async def list_templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        proof = types.ResourceTemplate(
            uri_template=f"{PROOF}{{reference}}",
            name="proof",
            description="What a proof establishes; its reference is in the verdict that rests on it.",
            mime_type="application/json",
        )
        return types.ListResourceTemplatesResult(resource_templates=[proof])

    async def read_resource(
        self, _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri == RULES:
            guides = (each.tool.guide for each in self._calls.tools.values())
            text, kind = "\n".join(each for each in guides if each), "text/plain"
        elif uri.startswith(PROOF):
            reference = uri.removeprefix(PROOF)
            try:
                told = await asyncio.to_thread(proof_document, reference, self._options.layer, self._options.store)
            except (ProbatumError, ValueError) as error:
                raise MCPError(types.INVALID_PARAMS, str(getattr(error, "sentence", error))) from error
            text, kind = json_text(told), "application/json"
        else:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri!r}.")
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)])
