import ArgumentParser
import Foundation
import Gateway
import Transport

/// The options of a command that needs the server's settings.
struct SettingsOptions: ParsableArguments {
    @Option(help: "The configuration file.")
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The public listener: WebSocket and REST; 127.0.0.1:8080 by default.", valueName: "host:port"),
        transform: SocketAddress.argument)
    var listen: SocketAddress?

    @Option(
        help: ArgumentHelp(
            "The Unix socket of publishers; belfry.sock in the data folder by default.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp("Metrics and health; 127.0.0.1:9090 by default.", valueName: "host:port"),
        transform: SocketAddress.argument)
    var ops: SocketAddress?

    @Option(
        help: ArgumentHelp(
            "Where everything that must survive a restart is kept; ./data by default.", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("A catalog, or a folder of catalogs; may be given several times.", valueName: "path"))
    var catalog: [String] = []

    @Flag(
        help:
            "For development, on this machine alone: accept tokens of `belfry token`, show a demo, and take pushes if no service is set."
    )
    var dev = false

    private var flags: [SettingsReader.Flag] {
        var flags: [SettingsReader.Flag] = []
        if let listen { flags.append(.init("--listen", for: "listen", [listen.description])) }
        if let socket { flags.append(.init("--socket", for: "socket", [socket])) }
        if let ops { flags.append(.init("--ops", for: "ops", [ops.description])) }
        if let data { flags.append(.init("--data", for: "data", [data])) }
        if !catalog.isEmpty { flags.append(.init("--catalog", for: "catalogs", catalog)) }
        return flags
    }

    func settings() throws(ExitCode) -> Settings {
        var settings = try Self.settings(config: config, flags: flags)
        settings.isDevelopment = dev
        return settings
    }

    /// The settings from defaults, file, environment and flags. Complains and exits on a mistake.
    static func settings(config: String?, flags: [SettingsReader.Flag]) throws(ExitCode) -> Settings {
        let environment = ProcessInfo.processInfo.environment
        do {
            return try SettingsReader.read(file: config, environment: environment, flags: flags)
        } catch {
            Terminal.complain(page: error.description)
            // A missing setting may be there under a misspelt name.
            for hint in hints(on: environment) { Terminal.complain(hint) }
            throw .failure
        }
    }

    /// The socket of the server to ask. Complains and exits on a mistake in the settings, or if the path is unusable.
    static func socketPath(flags: [SettingsReader.Flag]) throws(ExitCode) -> String {
        do {
            return try settings(config: nil, flags: flags).usableSocketPath()
        } catch let problem as SettingsProblem {
            Terminal.complain(problem.description)
        } catch {}
        throw .failure
    }

    /// A sentence for each variable that looks like a misspelt setting.
    static func hints(on environment: [String: String]) -> [String] {
        SettingsReader.misspelt(in: environment).map { "\($0.name) is not a setting; did you mean \($0.nearest)?" }
    }
}
