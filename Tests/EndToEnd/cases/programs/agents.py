"""`belfry mcp`, by the client of the protocol's own project."""

import asyncio
import json

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from harness.apps import catalog
from harness.http import once
from harness.suite import PATIENCE, case, expect, expect_equal, expect_subset, wait_until


def as_agent(world, server, talk, *options: str):
    """Has `talk` use a session of a client that has started `belfry mcp`."""
    parameters = StdioServerParameters(command=world.belfry, args=["mcp", "--socket", server.socket, *options])

    async def run():
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            return await talk(session)

    return asyncio.run(asyncio.wait_for(run(), 3 * PATIENCE))


async def call(session, tool: str, **arguments):
    result = await session.call_tool(tool, arguments)
    return result, result.content[0].text


@case("an agent tells and asks a person, waits for the answer, and is told why")
def asking(world):
    server = world.serve(catalogs=[catalog("agents")])

    async def talk(session):
        tools = (await session.list_tools()).tools
        expect_equal([tool.name for tool in tools], ["notify", "ask", "wait", "explain"], "the tools")
        _, told = await call(session, "notify", to=["sarah"], message="Version 1.4 is live.")
        expect_equal(json.loads(told)["recipients"], 1, "who is told")
        expect_equal(server.get("sarah")["data"][0]["displayText"], "Deploy bot: Version 1.4 is live.", "the text")
        _, asked = await call(session, "ask", to=["sarah"], message="Roll it back?", answers=["Yes", "No"], wait=0)
        asked = json.loads(asked)
        expect_equal(asked["unanswered"], 1, "who has not answered")
        row = server.get("sarah")["data"][0]
        expect_equal(row["displayText"], "Deploy bot asks: Roll it back?", "the question")
        waiting = asyncio.create_task(call(session, "wait", event=asked["event"]))
        # Tools run side by side.
        await session.send_ping()
        given = await asyncio.to_thread(
            server.rest, "sarah", "PUT", f"/api/notifications/{row['id']}/answer", {"action": "No"})
        expect_equal(given.status, 200, "the status of the answer")
        _, answered = await waiting
        expect_subset(json.loads(answered)["people"][0], {"user": "sarah", "action": "No"}, "the answer")
        _, why = await call(session, "explain", event=asked["event"])
        expect("sarah" in why and "answered: No" in why, f"the explanation: {why}")

    as_agent(world, server, talk, "--name", "Deploy bot")


@case("what an agent gets wrong, and a server that is not there, are told in words that it can act on")
def mistakes(world):
    server = world.serve()

    async def talk(session):
        result, text = await call(session, "ask", to=["sarah"], message="Well?", answers=[])
        expect_equal((result.is_error, text), (True, "answers: expected an array of 1 to 4 texts"), "no answers")
        result, text = await call(session, "notify", to=["sarah"], message="Hello")
        expect(result.is_error and "event type" in text, f"a server without the catalog: {text}")
        result, text = await call(session, "wait", event="evt_none", wait=0)
        expect(result.is_error and "trail" in text, f"an unknown event: {text}")
        server.terminate()
        result, text = await call(session, "notify", to=["sarah"], message="Hello")
        expect(result.is_error and "is the server running" in text, f"no server: {text}")

    as_agent(world, server, talk)


@case("an agent that asks again under its key gets the same question, also with a time to answer")
def asking_again(world):
    server = world.serve(catalogs=[catalog("agents")])

    async def talk(session):
        events = []
        for _ in range(2):
            _, asked = await call(session, "ask", to=["sarah"], message="Well?", answers=["Yes", "No"], within=600, wait=0,
                                  key="well")
            events.append(json.loads(asked)["event"])
        expect_equal(len(set(events)), 1, "the events")
        result, text = await call(session, "notify", to=["sarah"], message="x" * 5_000)
        expect(result.is_error and "at most 4096 bytes" in text, f"a message without end: {text}")

    as_agent(world, server, talk)
    expect_equal(server.unread("sarah"), 1, "sarah's unread")


@case("what was read before the input ended is done and answered")
def input_ends(world):
    server = world.serve(catalogs=[catalog("agents")])
    lines = "".join(json.dumps({
        "jsonrpc": "2.0", "id": number, "method": "tools/call",
        "params": {"name": "notify", "arguments": {"to": ["sarah"], "message": f"message {number}"}}}) + "\n"
        for number in range(20))
    ended = world.run("mcp", "--socket", server.socket, input=lines)
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    expect_equal(sorted(answer["id"] for answer in answers), list(range(20)), "the answers")
    expect_equal(server.unread("sarah"), 20, "sarah's unread")
