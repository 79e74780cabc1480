import Gateway
import Inbox
import Transport

/// The first output of a server in development: the demo, its address, a token, and a command that makes a notification
/// appear.
enum Welcome {
    /// A person of the demo.
    private static let user = "maya"
    private static let sampleEvent = "room_liked"

    static func print(_ server: Server) throws {
        let settings = server.node.settings
        guard let user = UserID(user) else { return }
        let issuer = try TokenIssuer(developmentIn: settings, app: .unnamed)
        let token = try issuer.token(for: user, at: server.node.now(), lifetime: .seconds(86_400))
        var lines = [
            "",
            "Belfry \(Release.version) is running.",
            "  demo                    http://\(server.addresses.listen)/demo",
            "  REST and live protocol  http://\(server.addresses.listen)",
            "  metrics and health      http://\(server.addresses.ops)/metrics",
            "  publishing              \(server.addresses.socket)",
        ]
        if let sinkURL = server.development?.sinkURL { lines.append("  lock screens            \(sinkURL)") }
        lines += [
            "",
            "A token for the user \(user.name), valid for a day:",
            "  \(token)",
            "",
            "Watch \(user.name)'s inbox, in a second terminal:",
            "  \(CommandLine.arguments[0]) tail --url ws://\(server.addresses.listen) --token \(token)",
        ]
        if server.node.currentCatalogs[.unnamed].catalog(forEvent: sampleEvent) != nil {
            lines += [
                "", "Make a notification appear, in a third:", "  \(sampleCall(server.addresses.socket.description))",
            ]
        }
        Terminal.print(page: (lines + [""]).joined(separator: "\n"))
    }

    private static func sampleCall(_ socket: String) -> String {
        let event = """
            {"type": "\(sampleEvent)", "actor": {"id": "user-123", "username": "pete", "firstName": "Pete"}, \
            "to": {"owner": ["\(user)"]}, "data": {"room": {"id": "room-789", "name": "Italy Trip"}}}
            """
        return "curl --unix-socket \(socket) http://belfry/v1/events -d '\(event)'"
    }
}
