import ArgumentParser
import Foundation
import Gateway
import Inbox

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a user's token for development.",
        discussion: HelpText.with(
            """
            The token is signed with the secret in the data folder, which is made if it is missing. A server accepts \
            it only if it was started with --dev and works on the same folder.
            """, examples: #"belfry tail --url ws://127.0.0.1:8080 --token "$(belfry token --user sarah)""#))

    @Option(help: ArgumentHelp("The server's data folder; ./data by default.", valueName: "folder"))
    var data: String?

    @Option(help: "The user to whom the token belongs.", transform: UserID.argument)
    var user: UserID

    @Option(
        help: "The user's app, as --config names it in auth.apps; the app without a name by default.",
        transform: AppName.argument)
    var app = AppName.unnamed

    @Option(
        help: ArgumentHelp("How long it is valid, such as 90s, 5m or 7d; 1h by default.", valueName: "duration"),
        transform: Duration.argument)
    var expires = Duration.seconds(3_600)

    @Option(help: "The server's configuration file, for the claims that it demands.")
    var config: String?

    func validate() throws {
        // No server would accept the id.
        guard UserID(user.name) != nil else {
            throw ValidationError("--user: expected \(UserID.expectation).")
        }
    }

    func run() async throws {
        let flags = data.map { [SettingsReader.Flag("--data", for: "data", [$0])] } ?? []
        let settings = try SettingsOptions.settings(config: config, flags: flags)
        if !app.isUnnamed, !settings.namedApps.contains(app) {
            Terminal.complain("--app: the settings name no such app in auth.apps; give the server's --config")
            throw ExitCode.failure
        }
        let secret = "\(settings.data)/\(DevelopmentSecret.fileName)"
        let hadSecret = FileManager.default.fileExists(atPath: secret)
        do {
            let issuer = try TokenIssuer(developmentIn: settings, app: app)
            let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
            Terminal.print(try issuer.token(for: user, at: now, lifetime: expires))
            if !hadSecret {
                Terminal.complain("made \(secret): only a server on this data folder accepts the token (--data)")
            }
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.failure
        }
    }
}
