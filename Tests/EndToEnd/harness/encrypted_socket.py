"""A TLS socket for one thread that reads and another that writes."""

import errno
import select
import ssl
import threading


class EncryptedSocket(ssl.SSLSocket):
    """Before Python 3.13 an SSLSocket is not safe for two threads, and `websockets` reads in one of its own: a session
    ticket that is read while the first request is written ends in an "internal error", or in silence."""

    @property
    def _turn(self) -> threading.Lock:
        return self.__dict__.setdefault("_lock", threading.Lock())

    def recv(self, buflen=1024, flags=0):
        return self._in_turn(lambda: super(EncryptedSocket, self).recv(buflen, flags))

    def send(self, data, flags=0):
        return self._in_turn(lambda: super(EncryptedSocket, self).send(data, flags))

    def _in_turn(self, action):
        """Does it without waiting while it is this thread's turn; waits while it is not."""
        while True:
            with self._turn:
                timeout = self.gettimeout()
                self.settimeout(0)
                try:
                    return action()
                except ssl.SSLWantReadError:
                    reads, writes = [self.fileno()], []
                except ssl.SSLWantWriteError:
                    reads, writes = [], [self.fileno()]
                finally:
                    if self.fileno() >= 0:
                        self.settimeout(timeout)
            if self.fileno() < 0:
                raise OSError(errno.EBADF, "closed")
            if not any(select.select(reads, writes, [], timeout)):
                raise TimeoutError("timed out")


def trusting(certificate_file: str) -> ssl.SSLContext:
    """A client's context that trusts this certificate and no other."""
    context = ssl.create_default_context(cafile=certificate_file)
    context.sslsocket_class = EncryptedSocket
    return context
