import ArgumentParser
import Foundation
import Gateway
import JSON
import MCP

struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an agent tell and ask people, by the Model Context Protocol over standard input and output.",
        discussion: HelpText.with(
            """
            The client starts this command. Its tools are notify, ask, wait and explain. The server needs the events \
            that the options name: Config/catalogs/agents.yaml has them.
            """,
            examples: "belfry mcp", "belfry mcp --name 'Deploy bot' --socket /run/belfry/publish.sock"))

    @Option(help: ArgumentHelp("The server's Unix socket; ./data/belfry.sock by default.", valueName: "path"))
    var socket: String?
    @OptionGroup var about: AppOption

    @Option(help: "Who the notifications are from, in their words.")
    var name = "Agent"

    @Option(help: "The id of who they are from: the actor of each event.")
    var actor = "agent"

    @Option(help: "The event of notify.")
    var noticeEvent = "agent_notice"

    @Option(help: "The event of ask.")
    var questionEvent = "agent_question"

    @Option(help: "The recipient list of these events.")
    var list = "people"

    func run() async throws {
        var admin = AdminOptions()
        (admin.socket, admin.json) = (socket, false)
        let tools = MCPTools(
            client: try admin.client(about: about.app), actor: ["id": .string(actor), "name": .string(name)],
            noticeEvent: noticeEvent, questionEvent: questionEvent, list: list)
        let session = MCPSession(tools: tools)
        for await line in Self.lines() { await session.receive(line) }
        // What was asked for gets its answer: a program that writes some lines and closes the pipe reads to the end.
        await session.end()
    }

    /// The lines of standard input. Reading blocks, so it has a thread of its own.
    private static func lines() -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() {
                    if !line.isEmpty { continuation.yield(Array(line.utf8)) }
                }
                continuation.finish()
            }
        }
    }
}
