"""The OpenAPI description of the HTTP API, generated from the structs of the protocol."""

from typing import Any

import msgspec

from foretell.engine.codec import schema_of
from foretell.server.wire import protocol as p

__all__ = ["openapi"]

_TABLE = ("table", {"type": "string", "minLength": 4, "maxLength": 32}, "A table's id or code")
_GAME = ("game", {"type": "string", "minLength": 1, "maxLength": 32}, "A game's id")
_ROUND = ("number", {"type": "integer", "minimum": 1, "maximum": 20}, "A round's number")
_SEAT = (
    "seat",
    {"type": "integer", "minimum": 0, "maximum": 5},
    "Replay the round as this seat saw it",
)

# Method, path, summary, request body, status and body of a success, other statuses.
_ROUTES: tuple[tuple[str, str, str, Any, int, Any, tuple[int, ...]], ...] = (
    ("get", "/api/form", "The choices for a new table", None, 200, p.TableForm, ()),
    ("get", "/api/tables", "Public tables", None, 200, p.LobbyList, ()),
    ("post", "/api/tables", "A new table", p.NewTable, 201, p.Seated, (400, 413, 503)),
    ("get", "/api/tables/{table}", "A table", None, 200, p.Table, (400, 404)),
    (
        "post",
        "/api/tables/{table}/seats",
        "Take a seat",
        p.Join,
        201,
        p.Seated,
        (400, 404, 409, 413),
    ),
    (
        "post",
        "/api/mine",
        "The games to which these tokens belong",
        p.Mine,
        200,
        p.MyGames,
        (400, 413),
    ),
    ("get", "/api/games/{game}", "A game", None, 200, p.GameSummary, (400, 404)),
    (
        "get",
        "/api/games/{game}/record",
        "The record of a finished game (wizard-record/1)",
        None,
        200,
        dict[str, Any],
        (400, 404, 409),
    ),
    (
        "get",
        "/api/games/{game}/replay/{number}",
        "A round of a finished game, step by step",
        None,
        200,
        p.Replay,
        (400, 404, 409),
    ),
    (
        "post",
        "/api/games/{game}/review",
        "The coach's review of a finished game, or its progress",
        None,
        200,
        p.GameReview,
        (400, 404, 409, 503),
    ),
    (
        "post",
        "/api/replay",
        "A round of the record that is sent (wizard-record/1), step by step; the first one without a number",
        dict[str, Any],
        200,
        p.Replay,
        (400, 404, 413),
    ),
    (
        "post",
        "/api/review",
        "The coach's review of the record that is sent (wizard-record/1), or its progress",
        dict[str, Any],
        200,
        p.GameReview,
        (400, 409, 413, 503),
    ),
    ("get", "/api/health", "Whether the server runs", None, 200, p.Health, ()),
    ("get", "/api/ready", "Whether a move would be stored", None, 200, p.Health, (503,)),
)


def openapi() -> dict[str, Any]:
    """The whole description."""
    kinds = [kind for route in _ROUTES for kind in (route[3], route[5]) if kind is not None]
    kinds.append(p.Failure)
    schemas, components = msgspec.json.schema_components(
        kinds, schema_hook=schema_of, ref_template="#/components/schemas/{name}"
    )
    schema = dict(zip(map(str, kinds), schemas, strict=True))
    paths: dict[str, Any] = {}
    for method, path, about, body, status, answer, others in _ROUTES:
        operation: dict[str, Any] = {
            "summary": about,
            "parameters": [_parameter(*one, path) for one in _parameters(path)],
            "responses": {str(status): _content("Success", schema[str(answer)])},
        }
        for other in (*others, 429):
            content = schema[str(p.Health if other == 503 and method == "get" else p.Failure)]
            operation["responses"][str(other)] = _content("Refusal", content)
        if body is not None:
            content = {"application/json": {"schema": schema[str(body)]}}
            operation["requestBody"] = {"required": True, "content": content}
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Foretell", "version": str(p.VERSION)},
        "paths": paths,
        "components": {"schemas": dict(sorted(components.items()))},
    }


def _parameters(path: str) -> list[tuple[str, dict[str, Any], str]]:
    found = [one for one in (_TABLE, _GAME, _ROUND) if f"{{{one[0]}}}" in path]
    if path == "/api/replay":
        return [_ROUND, _SEAT]
    return [*found, _SEAT] if path.endswith("{number}") else found


def _parameter(name: str, schema: dict[str, Any], about: str, path: str) -> dict[str, Any]:
    is_in_path = f"{{{name}}}" in path
    return {
        "name": name,
        "in": "path" if is_in_path else "query",
        "required": is_in_path,
        "description": about,
        "schema": schema,
    }


def _content(about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}
