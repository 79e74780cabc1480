"""Servers whose settings name publishers."""

import textwrap

from .suite import expect_equal


def publisher_key(world) -> tuple[str, str]:
    """A new key, and its hash, by the command that makes them."""
    printed = world.run("publisher", "key", "cloud")
    expect_equal(printed.returncode, 0, f"belfry publisher key: {printed.stderr}")
    lines = [line.strip() for line in printed.stdout.splitlines()]
    return next(line for line in lines if line.startswith("key: "))[5:], next(
        line for line in lines if line.startswith("keyHash: "))[9:]


def serve_publishers(world, publishers: str, **settings):
    config = world.folder / "belfry.yaml"
    config.write_text(f"publishers:\n{textwrap.indent(textwrap.dedent(publishers), '  ')}")
    return world.serve(arguments=["--config", str(config)], **settings)
