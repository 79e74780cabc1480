import ArgumentParser
import Foundation
import Gateway
import JSON
import Transport

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish events from a file or standard input.",
        discussion: HelpText.with(
            """
            Reads one event, an array of events that are accepted together, or an event a line, and prints the \
            server's answer to each as a line of JSON. Exits with 1 if one was refused. Input without an event gets a \
            message and exit code 0.
            """,
            examples: """
                echo '{"type": "room_liked", "key": "like-1", "to": {"owner": ["sarah"]},' \\
                  '"actor": {"id": "pete", "username": "pete"},' \\
                  '"data": {"room": {"id": "room-1", "name": "Italy Trip"}}}' | belfry publish
                """))

    @Option(help: ArgumentHelp("The server's Unix socket; ./data/belfry.sock by default.", valueName: "path"))
    var socket: String?

    @OptionGroup var about: AppOption

    @Argument(help: "The file with the events; - for standard input.")
    var file = "-"

    func run() async throws {
        let flags = socket.map { [SettingsReader.Flag("--socket", for: "socket", [$0])] } ?? []
        let path = try SettingsOptions.socketPath(flags: flags)
        guard let source = file == "-" ? .standardInput : FileHandle(forReadingAtPath: file) else {
            Terminal.complain("\(file): cannot be read")
            throw ExitCode.failure
        }
        var publisher = try EventPublisher(socketPath: path, app: about.app)
        var input = EventInput()
        var (isAccepted, isEmpty) = (true, true)
        func publish(_ portions: [EventInput.Portion]) async throws {
            for portion in portions {
                isEmpty = false
                isAccepted = try await publisher.publish(portion) && isAccepted
            }
        }
        // Reads as much as is available: a pipe is published while it flows.
        while case let data = source.availableData, !data.isEmpty { try await publish(input.append(data)) }
        try await publish(input.finish())
        if isEmpty { Terminal.complain("\(file == "-" ? "standard input" : file): no events") }
        guard isAccepted else { throw ExitCode.failure }
    }
}
