import ArgumentParser
import Transport

/// The server to load, and the signing of its tokens.
struct BenchServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server, as ws://host:port or wss://host:port.", valueName: "url"))
    var url = "ws://127.0.0.1:8080"

    @Option(
        help: ArgumentHelp("Trust this certificate authority instead of the system's, a PEM file.", valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            """
            A file with the secret that signs tokens (HS256), if it is neither in the server's settings (--config) nor the \
            development secret.
            """, valueName: "file"))
    var secretFile: String?

    func validate() throws {
        do {
            _ = try WebSocketURL(url)
        } catch {
            throw ValidationError("--url: \(error)")
        }
    }
}
