"""A proxy in front of a server that treats WebSockets as some networks do, in ways that a case can change."""

import asyncio
import base64
import contextlib
import hashlib
import re
import threading


class HostileProxy:
    """Passes HTTP on as it is; what becomes of an upgrade is up to `mode`:

    - `open`: it is passed on.
    - `drop`: it is answered with 101, and the connection ends.
    - `swallow`: nobody answers.

    With `keeps`, answers come in blocks of 64 KiB, and what is less when they end.

    Its connections to the server are HTTP/1.1 without TLS, and each begins with one request.
    """

    def __init__(self, server: str, mode: str = "open", *, keeps: bool = False):
        host, _, port = server.rpartition(":")
        self._server = (host, int(port))
        self._mode, self._keeps = mode, keeps
        #: How many upgrades were asked for, by what became of them.
        self.upgrades = {"open": 0, "drop": 0, "swallow": 0}
        self._sockets: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._listener = self._run(asyncio.start_server(self._take, "127.0.0.1", 0))
        self.listen = "127.0.0.1:%d" % self._listener.sockets[0].getsockname()[1]

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def become(self, mode: str, *, keeps: bool = False):
        """From now on upgrades are treated so, and WebSockets that are open end, unless they are welcome.

        Answers that have begun are kept back or not, as before.
        """
        self._keeps = keeps
        self._run(self._become(mode))

    def close(self):
        self._run(self._become("drop"))
        self._loop.call_soon_threadsafe(self._listener.close)

    async def _become(self, mode: str):
        self._mode = mode
        if mode != "open":
            for writer in self._sockets:
                writer.transport.abort()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if re.search(rb"\r\nupgrade: *websocket\r\n", head, re.IGNORECASE):
                await self._upgrade(head, reader, writer)
            else:
                # Each request needs a look, so each connection has one.
                head = re.sub(rb"\r\nconnection: [^\r]*", b"", head, flags=re.IGNORECASE)
                await self._pass_on(head[:-2] + b"Connection: close\r\n\r\n", reader, writer)
        writer.close()

    async def _upgrade(self, head, reader, writer):
        mode = self._mode
        self.upgrades[mode] += 1
        self._sockets.add(writer)
        if mode == "open":
            await self._pass_on(head, reader, writer, is_upgrade=True)
        elif mode == "drop":
            writer.write(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                         b"Sec-WebSocket-Protocol: belfry.v1\r\nSec-WebSocket-Accept: " + _acceptance(head) + b"\r\n\r\n")
            await writer.drain()
        else:
            await reader.read()
        self._sockets.discard(writer)

    async def _pass_on(self, head, reader, writer, *, is_upgrade: bool = False):
        far_reader, far_writer = await asyncio.open_connection(*self._server)
        far_writer.write(head)
        up = asyncio.create_task(_copy(reader, far_writer))
        await _copy(far_reader, writer, keeps=self._keeps and not is_upgrade)
        up.cancel()
        far_writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, keeps: bool = False):
    block, kept = 65_536, b""
    with contextlib.suppress(OSError):
        while data := await reader.read(block):
            kept += data
            if keeps and len(kept) < block:
                continue
            writer.write(kept)
            kept = b""
            await writer.drain()
        writer.write(kept)
        await writer.drain()
    writer.close()


def _acceptance(head: bytes) -> bytes:
    key = re.search(rb"\r\nsec-websocket-key: *([^\r]+)", head, re.IGNORECASE)[1].strip()
    return base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
