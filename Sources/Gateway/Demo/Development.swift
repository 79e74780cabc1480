import Inbox
import Transport

/// The additions of a server in development: tokens for the demo's people, and a sink for their pushes.
package final class Development: Sendable {
    /// The address of the sink's lock screens; nil if the settings name push services.
    package let sinkURL: String?
    let sink: SinkServer?
    let issuer: TokenIssuer

    /// Starts a sink if the settings name no push service, and points them there.
    init(_ settings: inout Settings) throws {
        issuer = try TokenIssuer(developmentIn: settings, app: .unnamed)
        guard !settings.namesPushService else {
            (sink, sinkURL) = (nil, nil)
            return
        }
        let folder = try SinkFolder(settings.data + "/dev-sink")
        let options = SinkOptions(listen: .tcp(host: "127.0.0.1", port: 0), folder: folder)
        let sink = try SinkServer(options, now: { WallClock.now }, outputs: SinkOutputs(print: nil))
        var reader = SettingsReader(settings)
        reader.read(environment: Dictionary(sink.variables) { $1 })
        settings = try reader.finish()
        self.sink = sink
        sinkURL = SinkFolder.baseURL(of: sink.address) + "/"
    }

    func stop(completion: @escaping @Sendable () -> Void) {
        if let sink { sink.stop(completion: completion) } else { completion() }
    }

    /// Anybody gets tokens from a server in development, so it may listen only where this machine alone can connect.
    ///
    /// - Throws: ``ServerError``, which names the listener.
    static func check(_ settings: Settings, _ options: StartOptions) throws(ServerError) {
        let addresses = [
            ("listen", options.publicSocket?.address ?? settings.listen),
            ("ops", options.opsSocket?.address ?? settings.ops),
        ]
        for (name, address) in addresses where !address.isLoopback {
            throw ServerError(
                "--dev gives tokens to anyone who asks, so it listens on this machine alone: expected 127.0.0.1, [::1] or "
                    + "localhost for \(name), not \(address)")
        }
    }
}

extension Settings {
    /// Whether any push service is set up.
    var namesPushService: Bool { services.all.contains { $0.isNamed(in: push) } }
}
