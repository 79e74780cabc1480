package import WireProtocol

/// The service and the terms for a listener's connections. Belongs to a shard, as its service does.
package final class HTTPEndpoint {
    let service: any HTTPService
    let isLocal: Bool
    let limits: HTTPLimits
    let tls: TLSServer?
    let admission: Admission?
    let proxies: TrustedProxies
    let usesProxyProtocol: Bool
    let crossOrigin: CrossOrigin?
    let bodies: BodyRoom
    let answers: BodyRoom
    /// The `Date` of answers, made once a second.
    private var moment: HTTPMoment?
    var responses = HTTPResponseMemory()

    /// - Parameters:
    ///   - isLocal: a Unix socket, whose kernel tells the user of the peer.
    ///   - tls: encrypts each connection; nil for plain bytes.
    ///   - admission: judges each connection; nil admits all.
    ///   - proxies: peers whose `X-Forwarded-For` is believed.
    ///   - usesProxyProtocol: the proxies begin each connection with a PROXY protocol header, version 2, before TLS.
    ///     Other peers then cannot connect.
    ///   - crossOrigin: the web pages of other origins that may read the answers; nil for none.
    ///   - bodies: the room for bodies of requests; nil for one of its own.
    ///   - answers: the room for answers that clients do not take; nil for one of its own.
    package init(
        _ service: any HTTPService, isLocal: Bool = false, limits: HTTPLimits = HTTPLimits(), tls: TLSServer? = nil,
        admission: Admission? = nil, proxies: TrustedProxies = .none, usesProxyProtocol: Bool = false,
        crossOrigin: CrossOrigin? = nil, bodies: BodyRoom? = nil, answers: BodyRoom? = nil
    ) {
        self.service = service
        self.isLocal = isLocal
        self.limits = limits
        self.tls = tls
        self.admission = admission
        self.proxies = proxies
        self.usesProxyProtocol = usesProxyProtocol
        self.crossOrigin = crossOrigin
        self.bodies = bodies ?? BodyRoom()
        self.answers = answers ?? BodyRoom()
    }

    /// - Parameter seconds: since 1970.
    func moment(at seconds: Int64) -> HTTPMoment {
        if let moment, moment.seconds == seconds { return moment }
        let now = HTTPMoment(seconds)
        moment = now
        return now
    }
}

extension Listener {
    /// Accepts connections into an endpoint. At the limit of descriptors, clients get the endpoint's 503.
    package convenience init(
        _ socket: ListeningSocket, serving endpoint: HTTPEndpoint, for use: DescriptorLimit.Use = .operators,
        on: borrowing OnShard
    ) {
        self.init(
            socket, for: use, on: on, turnedAway: { HTTPConnection.turnAway(from: endpoint) },
            accepted: { descriptor, on in HTTPConnection.open(descriptor, at: endpoint, on) })
    }
}
