"""A path between pages and a server that a case can let die, as networks do."""

import contextlib
import socket
import threading


class Relay:
    """Passes bytes on, both ways, on as many connections as come."""

    def __init__(self, server: str):
        host, _, port = server.rpartition(":")
        self._server = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._open: list[tuple[socket.socket, socket.socket]] = []
        self._dead: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def listen(self) -> str:
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def lose(self):
        """From now on nothing comes through on the connections that are open, and neither end learns of it."""
        with self._lock:
            self._dead.update(end for pair in self._open for end in pair)

    def close(self):
        self._listener.close()
        with self._lock:
            for end in [end for pair in self._open for end in pair]:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        with contextlib.suppress(OSError):  # closed
            while True:
                near, _ = self._listener.accept()
                try:
                    far = socket.create_connection(self._server)
                except OSError:
                    near.close()  # the server is away
                    continue
                with self._lock:
                    self._open.append((near, far))
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket):
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if source not in self._dead:
                    target.sendall(data)
        if source not in self._dead:
            with contextlib.suppress(OSError):
                target.shutdown(socket.SHUT_WR)
