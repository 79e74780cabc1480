"""The bytes of the protocols that the compared servers speak, as far as subscribing and publishing needs them."""

import socket

from .. import Failed

# NATS: https://docs.nats.io/reference/reference-protocols/nats-protocol

NATS_PING = b"PING\r\n"
NATS_PONG = b"PONG\r\n"
_NATS_CONNECT = b'CONNECT {"verbose":false,"pedantic":false,"protocol":1,"lang":"bench","version":"1"}\r\n'


def nats_subscribe(channel: str) -> bytes:
    """A client's first words, which the server confirms with a PONG."""
    return _NATS_CONNECT + f"SUB {channel} 1\r\n".encode() + NATS_PING


def nats_publish(channel: str, payload: bytes) -> bytes:
    return f"PUB {channel} {len(payload)}\r\n".encode() + payload + b"\r\n"


def nats_delivered_bytes(channel: str, payload: bytes) -> int:
    """What a subscriber gets for a publication."""
    return len(f"MSG {channel} 1 {len(payload)}\r\n") + len(payload) + 2


def nats_greet(connection: socket.socket) -> None:
    """Returns once the server takes publications."""
    connection.sendall(_NATS_CONNECT + NATS_PING)
    said = b""
    while not said.endswith(NATS_PONG):
        part = connection.recv(65_536)
        if not part:
            raise Failed(f"nats-server refused a publisher: {said.decode(errors='replace')}")
        said += part


# MQTT 3.1.1: https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/

# CONNECT with a clean session, no keep-alive and an identifier that the server makes up (§3.1).
_MQTT_CONNECT = bytes([0x10, 12]) + b"\x00\x04MQTT" + bytes([4, 0x02, 0, 0, 0, 0])
_MQTT_CONNECTED = bytes([0x20, 2, 0, 0])
# SUBACK for packet 1, granted QoS 0 (§3.9).
MQTT_SUBSCRIBED = bytes([0x90, 3, 0, 1, 0])


def mqtt_subscribe(channel: str) -> bytes:
    """CONNECT and SUBSCRIBE: a client need not wait in between (§3.1.4)."""
    body = b"\x00\x01" + _mqtt_text(channel) + b"\x00"
    return _MQTT_CONNECT + bytes([0x82]) + _mqtt_length(len(body)) + body


def mqtt_publish(channel: str, payload: bytes) -> bytes:
    """QoS 0 (§3.3); a subscriber gets the same bytes."""
    body = _mqtt_text(channel) + payload
    return bytes([0x30]) + _mqtt_length(len(body)) + body


def mqtt_greet(connection: socket.socket) -> None:
    """Returns once the server takes publications."""
    connection.sendall(_MQTT_CONNECT)
    said = b""
    while len(said) < len(_MQTT_CONNECTED) and (part := connection.recv(64)):
        said += part
    if said != _MQTT_CONNECTED:
        raise Failed(f"mosquitto refused a publisher: {said.hex()}")


def _mqtt_text(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()


def _mqtt_length(length: int) -> bytes:
    """Seven bits a byte, the lowest first (§2.2.3)."""
    encoded = b""
    while True:
        length, low = divmod(length, 128)
        encoded += bytes([low | (0x80 if length else 0)])
        if not length:
            return encoded
