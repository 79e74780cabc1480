"""APNs as far as its tokens go, from implementations that are not ours: `h2` speaks HTTP/2, PyJWT verifies."""

import json
import socket
import ssl
import threading
from dataclasses import dataclass, field
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import jwt
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from ..certificates import Certificate
from ..received import Received
from ..suite import PATIENCE


@dataclass
class ApplePush:
    path: str
    headers: dict[str, str]
    #: Of the provider token, which is verified.
    token_header: dict
    claims: dict
    payload: dict


@dataclass
class _Stream:
    headers: dict[str, str]
    body: bytearray = field(default_factory=bytearray)


class ApnsReceiver:
    """An HTTP/2 server that accepts every push whose provider token is signed with the key."""

    def __init__(self, folder: Path, key_file: str):
        self.certificate = Certificate(folder, "apns")
        self._public_key = load_pem_private_key(Path(key_file).read_bytes(), None).public_key()
        self._received = Received()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate.file, self.certificate.key_file)
        self._context.set_alpn_protocols(["h2"])
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def settings(self) -> dict[str, str]:
        return {"APNS_ENDPOINT": f"https://127.0.0.1:{self._listener.getsockname()[1]}",
                "APNS_CA_FILE": self.certificate.file}

    def wait_for(self, count: int, within: float = PATIENCE) -> list[ApplePush]:
        return self._received.wait_for(count, within)

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket):
        try:
            with self._context.wrap_socket(connection, server_side=True) as secure:
                self._speak(secure)
        except OSError:
            pass  # the client has left

    def _speak(self, secure: ssl.SSLSocket):
        session = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        session.initiate_connection()
        secure.sendall(session.data_to_send())
        streams: dict[int, _Stream] = {}
        while data := secure.recv(65_536):
            for event in session.receive_data(data):
                match event:
                    case h2.events.RequestReceived():
                        streams[event.stream_id] = _Stream(dict(event.headers))
                    case h2.events.DataReceived():
                        streams[event.stream_id].body += event.data
                        session.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    case h2.events.StreamReset():
                        streams.pop(event.stream_id, None)
                    case h2.events.StreamEnded():
                        status = self._receive(streams.pop(event.stream_id))
                        session.send_headers(event.stream_id, [(":status", str(status))], end_stream=True)
                    case h2.events.ConnectionTerminated():
                        return
            secure.sendall(session.data_to_send())

    def _receive(self, stream: _Stream) -> int:
        try:
            token = stream.headers["authorization"].removeprefix("bearer ")
            claims = jwt.decode(token, self._public_key, algorithms=["ES256"], options={"require": ["iss", "iat"]})
            self._received.add(ApplePush(stream.headers[":path"], stream.headers, jwt.get_unverified_header(token),
                                         claims, json.loads(bytes(stream.body))))
            return 200
        except Exception as error:
            self._received.fail(f"a push that cannot be read: {type(error).__name__} {error}")
            return 403
