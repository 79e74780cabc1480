import ArgumentParser
import Gateway

/// The options of a command that asks a running server.
struct AdminOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's Unix socket; ./data/belfry.sock by default.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the server's answer as it is.")
    var json = false

    func client() throws -> AdminClient {
        let flags = socket.map { [SettingsReader.Flag("--socket", for: "socket", [$0])] } ?? []
        return try AdminClient(socketPath: SettingsOptions.socketPath(flags: flags))
    }
}
