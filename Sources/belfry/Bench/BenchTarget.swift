import ArgumentParser
import Bench
import Foundation
import Gateway
import Inbox
import JSON
import Transport
import WireProtocol

/// The server that a bench loads: its addresses, and the credential for its tokens.
struct BenchTarget {
    /// Descriptors beside those of sessions: files, pipes, pollers, publishers.
    private static let otherDescriptors = 100

    let settings: Settings
    private let options: BenchRunOptions

    init(_ options: BenchRunOptions) throws {
        self.options = options
        DescriptorLimit.raise()
        var flags: [SettingsReader.Flag] = []
        if let data = options.data { flags.append(.init("--data", for: "data", [data])) }
        if let socket = options.socket { flags.append(.init("--socket", for: "socket", [socket])) }
        settings = try SettingsOptions.settings(config: options.config, flags: flags)
        do throws(SettingsProblem) { _ = try settings.usableSocketPath() } catch {
            Terminal.complain(error.description)
            throw ExitCode.failure
        }
        if let app = options.app, !settings.namedApps.contains(app) {
            throw BenchFailure("--app: the settings name no such app in auth.apps; give the server's --config")
        }
    }

    /// The server's process, if it runs on this machine and may be inspected.
    var process: Int32? {
        SocketOwner.process(at: settings.socketPath).flatMap { pid in
            (try? ServerProcess(pid: pid).read()).map { _ in pid }
        }
    }

    /// The same for a server at this address, which may be on another machine.
    func process(at url: String) throws -> Int32? {
        SourceAddresses.isLoopback(try WebSocketURL(url).host) ? process : nil
    }

    // MARK: Sessions

    /// Belfry's sessions.
    func sessions(_ options: BenchSessionOptions, feed: String? = nil, confirmsAcks: Bool = false) throws -> SessionPlan
    {
        let url = try WebSocketURL(options.server.url)
        var plan = try sessions(options, at: url.path == "/" ? url.at("/v1/live") : url)
        plan.speech = .belfry(feed: feed, confirmsAcks: confirmsAcks)
        plan.subprotocols = [LiveSubprotocol.name]
        plan.headers = [SessionPlan.Header(name: "Authorization", value: try Template("Bearer {{token}}"))]
        return plan
    }

    /// Sessions of a server other than Belfry.
    func sessions(_ options: BenchSessionOptions, raw: BenchRawOptions) throws -> SessionPlan {
        var plan = try sessions(options, at: WebSocketURL(options.server.url))
        plan.speech = .raw(try raw.speech)
        plan.subprotocols = raw.subprotocol
        plan.headers = try raw.handshakeHeaders
        return plan
    }

    private func sessions(_ options: BenchSessionOptions, at url: WebSocketURL) throws -> SessionPlan {
        let needed = options.sessions / options.processes + Self.otherDescriptors
        guard needed <= DescriptorLimit.current else {
            let limit = DescriptorLimit.current
            let processes =
                (options.sessions + limit - Self.otherDescriptors - 1) / max(1, limit - Self.otherDescriptors)
            let advice = processes <= BenchSessionOptions.mostProcesses ? " or use --processes \(processes)" : ""
            throw BenchFailure(
                """
                \(options.sessions) sessions from \(options.processes) process(es) take \(needed) open files each, and \
                \(limit) are allowed: raise the limit (ulimit -n)\(advice)
                """)
        }
        let text = "\(url.isSecure ? "wss" : "ws")://\(url.authority)\(url.path)"
        var plan = SessionPlan(
            url: text, speech: .belfry(feed: nil, confirmsAcks: false), indices: 0..<options.sessions)
        plan.caFile = options.server.ca
        plan.userPrefix = self.options.userPrefix
        plan.ramp = options.ramp > 0 ? options.ramp : nil
        plan.shards = options.shards
        if let addresses = options.sourceAddresses {
            plan.sources = addresses.split(separator: ",").map(String.init)
            for source in plan.sources where IPAddress(source) == nil {
                throw ValidationError("--source-addresses: \(source) is no address")
            }
        } else {
            plan.sources = SourceAddresses.loopback(for: url.host, sessions: options.sessions)
        }
        return plan
    }

    // MARK: Tokens

    /// - Parameter file: a file with the secret; nil for the secret of the server's settings, or else the development
    ///   secret in the data folder.
    func credential(secretFile file: String?) throws -> Credential {
        let auth = settings[auth: options.app]
        if file == nil, let secret = auth.secret { return credential(secret) }
        let named = file ?? auth.secretFile
        let path = named ?? settings.data + "/" + DevelopmentSecret.fileName
        guard let data = FileManager.default.contents(atPath: path) else {
            let advice =
                named == nil
                ? "; was the server started with --dev, and is --data its folder? Or give --secret-file" : ""
            throw BenchFailure("the secret \(path) cannot be read\(advice)")
        }
        let secret = Secret(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        return credential(
            named == nil ? DevelopmentSecret.secret(of: options.app ?? .unnamed, from: secret) : secret)
    }

    private func credential(_ secret: Secret) -> Credential {
        Credential(secret: secret.text, config: options.config, app: options.app?.text)
    }

    /// Makes tokens; also used in a worker's process.
    static func tokens(_ credential: Credential) throws -> TokenSource {
        let settings = try SettingsOptions.settings(config: credential.config, flags: [])
        let app = credential.app.flatMap { AppName($0) }
        let rules = settings[auth: app].rules(in: app ?? .unnamed)
        let issuer = try TokenIssuer(secret: Secret(credential.secret), rules: rules)
        return { user in
            guard let id = UserID(user) else { throw BenchFailure("\(user) is no user's name") }
            let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
            return try issuer.token(for: id, at: now, lifetime: .seconds(86_400))
        }
    }

    // MARK: Publishing

    /// Events, one for each request or one for each line.
    func events(_ event: Template, underway: Int? = nil) throws -> PublishPlan.Carrier {
        let publication = try publication(path: "/v1/events", body: event)
        return underway.map { .lines(publication, underway: $0) } ?? .requests(publication)
    }

    func items(feed: String) throws -> PublishPlan.Carrier {
        .requests(try publication(path: "/v1/feeds/\(feed)/items", body: Template(#"{"text":"{{payload}}"}"#)))
    }

    private func publication(path: String, body: Template) throws -> HTTPPublication {
        let query = options.app.map { "?app=\($0.text)" } ?? ""
        return HTTPPublication(
            address: .unix(path: settings.socketPath), host: "belfry", path: try Template(path + query), body: body)
    }

    /// Complains and exits if no server answers at the socket.
    func checkSocket() async throws {
        _ = try await AdminClient(socketPath: settings.socketPath).call("GET", ["v1", "catalogs"])
    }
}
