import Inbox
import Push

/// A sink's replacement for one push service.
protocol SinkService: Sendable {
    /// Whether it takes requests by HTTP/2 only.
    var needsHTTP2: Bool { get }

    /// The kind of a request; nil if it is for another service.
    /// - Parameter path: without the query.
    func route(path: Substring) -> SinkRoute?

    /// The address of the request's device, as in ``Push/Device/token``; nil if the request names none, or not a single
    /// one.
    func device(of request: SinkRequest) -> String?

    /// The service's answer, and the notifications that phones show.
    ///
    /// - Parameter id: a fresh UUID in lower case, for services that name each message.
    func receive(_ request: SinkRequest, for route: SinkRoute, at now: Timestamp, id: String) -> StandInOutcome

    /// A scripted answer in this service's form.
    func reply(_ answer: SinkFault.Answer, to request: SinkRequest, for route: SinkRoute, id: String) -> PushReply

    /// The answer at a path for people and tests; nil for a push, or for another service's path.
    func page(_ request: SinkRequest) -> PushReply?
}

extension SinkService {
    var needsHTTP2: Bool { false }
    func page(_ request: SinkRequest) -> PushReply? { nil }
}

/// The parts that a sink's services are made with.
struct SinkParts {
    let folder: SinkFolder
    /// As ``SinkOptions/apnsKeyFile``.
    let apnsKeyFile: String?
    /// The sink's URL, without a slash at its end.
    let baseURL: String
    /// The origins under which the sink is reached.
    let origins: Set<String>
}

/// A service whose stand-in has no state of its own, and whose requests are all pushes.
struct PlainSinkService: SinkService {
    let provider: Device.Provider
    var needsHTTP2 = false
    let standIn: any ProviderStandIn
    /// Whether a path is the service's.
    let has: @Sendable (Substring) -> Bool
    let check: @Sendable (SinkRequest, _ now: Timestamp) -> CredentialCheck

    func route(path: Substring) -> SinkRoute? { has(path) ? .push(provider) : nil }

    func device(of request: SinkRequest) -> String? { standIn.device(of: request) }

    func receive(_ request: SinkRequest, for route: SinkRoute, at now: Timestamp, id: String) -> StandInOutcome {
        standIn.receive(request, credential: check(request, now), id: id)
    }

    func reply(_ answer: SinkFault.Answer, to request: SinkRequest, for route: SinkRoute, id: String) -> PushReply {
        standIn.reply(answer, to: request, id: id)
    }
}
