"""Security headers: what a browser may do with our pages, and with the answers of the HTTP interface."""

import re
from collections.abc import Mapping

__all__ = ["security_headers"]

_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")


def security_headers(
    *, is_page: bool, host: str = "", inline: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The headers of every response.  A page may load files from this server only, and no site may frame it.

    `inline` has the hashes of the script and style that are written in the page itself, by directive.
    """
    # Older versions of Safari do not count the server's own sockets as 'self'.
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    policy = {
        "default-src": "'none'",
        "script-src": "'self' 'wasm-unsafe-eval'",  # the engine is WebAssembly
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "connect-src": f"'self'{sockets}",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "media-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    for directive, hashes in (inline or {}).items():
        policy[directive] += hashes
    if not is_page:
        policy = {"default-src": "'none'", "frame-ancestors": "'none'"}
    return {
        "content-security-policy": "; ".join(f"{key} {value}" for key, value in policy.items()),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    }
