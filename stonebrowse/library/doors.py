"""Who may come in: only who has the secret, by a name of this server, and from its own page.

The three checks are independent. The secret keeps other users and other programs of the machine out. The
Host header keeps out a foreign name that was made to point here (DNS rebinding): the browser would hold a
foreign page for the same site then. The Origin header keeps out another page that opens a websocket here.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from stonebrowse.errors import InputInvalid

SECRET_BYTES: Final = 24
KEY: Final = "key"
LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


@dataclass(frozen=True, slots=True)
class Door:
    """Decides which requests are answered.

    Attributes:
        host: what the server listens on, as the person named it.
        port: its port.
        secret: what a request must bring: in the first address, then in a cookie.
    """

    host: str
    port: int
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(SECRET_BYTES), repr=False)

    @property
    def cookie(self) -> str:
        """The cookie's name. Cookies are kept by host, whatever the port: two servers must not share one."""
        return f"stonebrowse_{self.port}"

    @property
    def url(self) -> str:
        """The address to be opened, with the secret."""
        shown = own_name() if self.host in ANY_ADDRESS else self.host
        bracketed = f"[{shown}]" if ":" in shown else shown
        return f"http://{bracketed}:{self.port}/?{KEY}={self.secret}"

    def holds(self, given: str | None) -> bool:
        """Whether this is the secret. Takes as long for a wrong one as for the right one."""
        return given is not None and secrets.compare_digest(given.encode(), self.secret.encode())

    def refusal(self, host: str | None, origin: str | None, *given: str | None) -> str:
        """Why a request is refused; empty where it is not.

        Args:
            host: its Host header.
            origin: its Origin header; None where it has none, as when an address is typed.
            given: the secrets that it brought, wherever.
        """
        if host is None or not self._is_own(host):
            return "this server is not known by that name"
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            return "a foreign page asked"
        if not any(self.holds(one) for one in given):
            return "use the address that stonebrowse printed, with its secret"
        return ""

    def _is_own(self, host: str) -> bool:
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname, parts.port
        except ValueError:
            return False
        if not name or parts.username is not None or parts.path or (port or 80) != self.port:
            return False
        if self.host in ANY_ADDRESS:
            # An address as such cannot be made to point elsewhere; only names can.
            return _is_address(name) or name in {"localhost", own_name().lower()}
        if self.host.lower() in LOOPBACK_NAMES:
            return name in LOOPBACK_NAMES
        return name == self.host.lower()


def own_name() -> str:
    """This machine's name."""
    return socket.gethostname() or "localhost"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens on this host."""
    if host.lower() == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def listen(host: str, port: int, *, allow_remote: bool = False) -> socket.socket:
    """Opens the socket that the server will listen on.

    Args:
        host: the address or name to listen on.
        port: 0 takes any that is free.
        allow_remote: whether the host may be one that other machines reach.

    Raises:
        InputInvalid: another machine's door without `allow_remote`, a host that is none of this machine's, or
            a port that is taken or not to be had.
    """
    if not is_loopback(host) and not allow_remote:
        raise InputInvalid(
            f"{host} can be reached from other machines, and what is sent can be read on the way; "
            f"add --allow-remote if that is meant, or leave --host out"
        )
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise InputInvalid(
            f"{host} is no address or name of this machine; name another with --host"
        ) from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except OSError as trouble:
        listening.close()
        raise InputInvalid(_why(host, port, trouble)) from trouble
    return listening


def _why(host: str, port: int, trouble: OSError) -> str:
    import errno

    if trouble.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is taken by another program; name another with --port (0: any free one)"
        )
    if trouble.errno in {errno.EACCES, errno.EPERM}:
        return f"port {port} is not to be had without more rights; name one above 1023 with --port"
    if trouble.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; name another with --host"
    return f"port {port} of {host} cannot be opened ({(trouble.strerror or 'unknown').lower()})"
