"""A network between clients and a server that can be cut."""

import selectors
import socket
import struct
import threading

from harness.ports import lasting_port


class Relay:
    """Passes bytes on between its own port and a target; everything on one thread."""

    def __init__(self, target: str):
        host, port = target.rsplit(":", 1)
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", lasting_port()), backlog=512)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._peers: dict[socket.socket, socket.socket] = {}
        self._lock = threading.Lock()
        self._is_silent = False
        self._has_ended = False
        threading.Thread(target=self._run, daemon=True).start()

    def cut(self):
        """All connections end at once; both sides hear of it."""
        with self._lock:
            for one in list(self._peers):
                self._end(one)

    def silence(self, is_silent: bool):
        """Nothing passes any more, and nobody hears of it."""
        self._is_silent = is_silent

    def close(self):
        self._has_ended = True
        self.cut()
        self._listener.close()

    def _run(self):
        while not self._has_ended:
            # A silent network takes nothing: what is under way waits in the kernel.
            if self._is_silent:
                threading.Event().wait(0.01)
                continue
            for key, _ in self._selector.select(timeout=0.05):
                with self._lock:
                    if key.fileobj is self._listener:
                        self._accept()
                    elif key.fileobj in self._peers:
                        self._pass(key.fileobj)

    def _accept(self):
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        try:
            server = socket.create_connection(self._target, timeout=5)
        except OSError:
            return self._reset(client)
        for one, other in ((client, server), (server, client)):
            one.settimeout(5)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._peers[one] = other
            self._selector.register(one, selectors.EVENT_READ)
        return None

    def _pass(self, one: socket.socket):
        try:
            piece = one.recv(1 << 16)
            if piece:
                return self._peers[one].sendall(piece)
        except OSError:
            pass
        return self._end(one)

    def _end(self, one: socket.socket):
        for end in (one, self._peers.pop(one, None)):
            if end is not None:
                self._peers.pop(end, None)
                try:
                    self._selector.unregister(end)
                except (KeyError, ValueError):
                    pass
                self._reset(end)

    @staticmethod
    def _reset(end: socket.socket):
        try:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        end.close()
