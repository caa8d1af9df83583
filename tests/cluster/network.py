"""Network namespaces for the nodes of a cluster: each node has its own address, and its cable can be pulled."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from typing import Protocol


def run_ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


class Network(Protocol):
    """Where nodes live: the address of each, and what has to stand before a command for it to run there."""

    def add(self, node: str) -> None: ...
    def address(self, node: str) -> str: ...
    def prefix(self, node: str) -> Sequence[str]: ...
    def cut(self, node: str) -> None: ...
    def heal(self, node: str) -> None: ...
    def remove(self) -> None: ...
    def leftovers(self) -> list[str]: ...


def why_no_namespaces() -> str | None:
    """Why nodes cannot have namespaces of their own here; None where they can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "network namespaces need `ip` (Debian: iproute2)"
    name = f"sg{os.getpid()}try"
    try:
        run_ip("link", "add", name, "type", "bridge")
        run_ip("link", "delete", name)
        run_ip("netns", "add", name)
        run_ip("netns", "delete", name)
    except subprocess.CalledProcessError as error:
        return f"this system does not let us make network namespaces: {error.stderr.strip()}"
    return None


class Namespaces:
    """One bridge, one namespace per node, a pair of virtual cards between them. The driver stays outside: address 1."""

    def __init__(self) -> None:
        number = os.getpid()
        self.mark = f"sg{number}"
        self.net = f"10.{200 + number % 50}.{number // 50 % 250}"
        self.nodes: list[str] = []
        run_ip("link", "add", self.mark, "type", "bridge")
        run_ip("address", "add", f"{self.net}.1/24", "dev", self.mark)
        run_ip("link", "set", self.mark, "up")

    def add(self, node: str) -> None:
        self.nodes.append(node)
        space, card = self._space(node), self._card(node)
        run_ip("netns", "add", space)
        run_ip("link", "add", card, "type", "veth", "peer", "name", "eth0", "netns", space)
        run_ip("link", "set", card, "master", self.mark, "up")
        run_ip("-n", space, "address", "add", f"{self.address(node)}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            run_ip("-n", space, "link", "set", device, "up")

    def address(self, node: str) -> str:
        return f"{self.net}.{10 + self.nodes.index(node)}" if node in self.nodes else f"{self.net}.1"

    def prefix(self, node: str) -> Sequence[str]:
        return ("ip", "netns", "exec", self._space(node)) if node in self.nodes else ()

    def cut(self, node: str) -> None:
        run_ip("link", "set", self._card(node), "down")

    def heal(self, node: str) -> None:
        run_ip("link", "set", self._card(node), "up")

    def remove(self) -> None:
        for node in self.nodes:
            run_ip("link", "delete", self._card(node))
            run_ip("netns", "delete", self._space(node))
        run_ip("link", "delete", self.mark)

    def leftovers(self) -> list[str]:
        """What still bears our mark."""
        lines = run_ip("netns", "list").splitlines() + run_ip("-brief", "link", "show").splitlines()
        return [line for line in lines if line.startswith(self.mark)]

    def _space(self, node: str) -> str:
        return f"{self.mark}-{node}"

    def _card(self, node: str) -> str:
        return f"{self.mark}{node[0]}{self.nodes.index(node)}"


class Loopback:
    """All nodes on this machine's loopback, told apart by ports; no cable can be pulled."""

    def add(self, node: str) -> None:
        pass

    def address(self, node: str) -> str:
        return "127.0.0.1"

    def prefix(self, node: str) -> Sequence[str]:
        return ()

    def cut(self, node: str) -> None:
        raise NotImplementedError("the loopback has no cable")

    def heal(self, node: str) -> None:
        raise NotImplementedError("the loopback has no cable")

    def remove(self) -> None:
        pass

    def leftovers(self) -> list[str]:
        return []
