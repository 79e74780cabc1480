"""What several measurements are asked in the same words."""

from pathlib import Path

from .machine import ROOT


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def common(parser) -> None:
    parser.add_argument("--belfry", type=Path, default=ROOT / ".build/release/belfry", help="the program")
    parser.add_argument("--poller", choices=["epoll", "dispatch"], default="epoll")
    parser.add_argument("--shards", type=positive, help="default: one, or one a core if it has all cores")
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="put date, machine, program and tables on top of this file's entries")


def per_user(parser) -> None:
    parser.add_argument("--sessions-per-user", type=positive, default=1, help="at most 16 (default: 1)")


def heartbeat(parser) -> None:
    parser.add_argument("--heartbeat", type=float, default=25, help="seconds between a session's pings (default: 25)")


def heartbeat_setting(options) -> dict[str, str]:
    return {"BELFRY_LIVE_HEARTBEAT": f"{options.heartbeat * 1_000:.0f}ms"}


def beyond_heartbeat(options) -> float:
    """Seconds in which every session has been pinged and has answered: heartbeats differ by a tenth."""
    return 1.2 * options.heartbeat


def encrypted(parser) -> None:
    parser.add_argument("--tls", action="store_true", help="encrypted")
