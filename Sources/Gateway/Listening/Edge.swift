import Transport
import WireProtocol

/// The terms on which the public listener accepts clients, the same on every shard.
struct Edge: Sendable {
    let admission: Admission
    let origins: OriginRules
    /// Nil if REST is only for pages of its own origin, apps and servers.
    let crossOrigin: CrossOrigin?
    /// Nil without encryption.
    let tls: TLSServer?
    private let proxies: TrustedProxies
    private let usesProxyProtocol: Bool
    private let limits: HTTPLimits
    private let bodies = BodyRoom()
    private let answers = BodyRoom()

    /// - Throws: a problem with the certificate, its key, or a list in the settings.
    init(_ settings: Settings) throws {
        let (admission, proxy) = (settings.admission, settings.proxy)
        let all = DescriptorLimit.connections(of: DescriptorLimit.current)
        // Publishers on other machines find places when clients have all of theirs.
        let limit = all - (settings.publishing.listen == nil ? 0 : min(settings.publishing.connections, all / 4))
        self.admission = Admission(
            AdmissionLimits(
                connections: admission.connections > 0 ? admission.connections : limit,
                connectionsPerAddress: admission.connectionsPerAddress,
                connectionsPerSecond: admission.connectionsPerSecond))
        origins = try OriginRules(admission.origins)
        crossOrigin = CrossOrigin(
            origins, requestHeaders: ["Authorization", "Content-Type", "If-None-Match", "Accept-Language"],
            responseHeaders: ["ETag", "Retry-After", "WWW-Authenticate"])
        proxies = try TrustedProxies(proxy.trusted)
        usesProxyProtocol = proxy.usesProxyProtocol
        limits = HTTPLimits(settings.limits)
        tls = try TLSServerSettings(settings.tls).map(TLSServer.init)
    }

    func endpoint(_ service: any HTTPService) -> HTTPEndpoint {
        HTTPEndpoint(
            service, limits: limits, tls: tls, admission: admission, proxies: proxies,
            usesProxyProtocol: usesProxyProtocol, crossOrigin: crossOrigin, bodies: bodies, answers: answers)
    }
}

extension HTTPLimits {
    init(_ limits: Settings.Limits) {
        self.init(
            headBytes: limits.headBytes, bodyBytes: limits.bodyBytes, headTimeout: limits.headTimeout,
            bodyTimeout: limits.bodyTimeout, bodyStallTimeout: limits.bodyStallTimeout, idleTimeout: limits.idleTimeout)
    }
}

extension TLSServerSettings {
    /// Nil if TLS is not set up.
    init?(_ settings: Settings.TLS) {
        guard let certificateFile = settings.certificateFile, let keyFile = settings.keyFile else { return nil }
        self.init(
            certificateFile: certificateFile, keyFile: keyFile,
            minimumVersion: settings.minimumVersion == .tls12 ? .tls12 : .tls13,
            handshakeTimeout: settings.handshakeTimeout)
    }
}

extension DeflateSettings {
    /// Nil if compression is off.
    init?(_ settings: Settings.Compression) {
        guard settings.isEnabled else { return nil }
        self.init(thresholdBytes: settings.threshold, level: settings.level, windowBits: settings.windowBits)
    }
}
