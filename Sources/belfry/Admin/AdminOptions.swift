import ArgumentParser
import Gateway
import Inbox

/// The options of a command that asks a running server.
struct AdminOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's Unix socket; ./data/belfry.sock by default.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the server's answer as it is.")
    var json = false

    /// - Parameter app: the app that calls are about; nil for the server's only one.
    func client(about app: AppName? = nil) throws -> AdminClient {
        let flags = socket.map { [SettingsReader.Flag("--socket", for: "socket", [$0])] } ?? []
        return try AdminClient(socketPath: SettingsOptions.socketPath(flags: flags), app: app)
    }
}
