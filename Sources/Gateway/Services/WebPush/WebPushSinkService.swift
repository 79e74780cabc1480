import Inbox
import Push
import Synchronization
import WireProtocol

/// Stands in for browsers' push services, and plays the browsers.
final class WebPushSinkService: SinkService {
    private let standIn: Mutex<WebPushStandIn>
    private let subscribers: SinkSubscribers
    private let origins: Set<String>

    init(_ parts: SinkParts) throws {
        subscribers = try SinkSubscribers(folder: parts.folder, baseURL: parts.baseURL)
        origins = parts.origins
        var standIn = WebPushStandIn(baseURL: parts.baseURL)
        standIn.subscribers = try subscribers.stored()
        self.standIn = Mutex(standIn)
    }

    /// The current state: subscribers may come meanwhile.
    private var current: WebPushStandIn { standIn.withLock { $0 } }

    func route(path: Substring) -> SinkRoute? { path.hasPrefix("/webpush/") ? .push(.webpush) : nil }

    func device(of request: SinkRequest) -> String? { current.device(of: request) }

    func receive(_ request: SinkRequest, for route: SinkRoute, at now: Timestamp, id: String) -> StandInOutcome {
        let standIn = current
        let credential = standIn.credential(of: request, audiences: origins, at: now)
        return standIn.receive(request, credential: credential, id: id)
    }

    func reply(_ answer: SinkFault.Answer, to request: SinkRequest, for route: SinkRoute, id: String) -> PushReply {
        current.reply(answer, to: request, id: id)
    }

    /// `/webpush/new?key=`: lets the sink play one more browser, and answers with its subscription.
    func page(_ request: SinkRequest) -> PushReply? {
        guard request.path.prefix(while: { $0 != "?" }) == "/webpush/new", ["GET", "POST"].contains(request.method),
            let head = try? HTTPRequestHead(
                method: request.method, target: request.path, headers: [:], minorVersion: 0)
        else { return nil }
        // Nil for a browser that takes anybody's pushes.
        let key = head.query["key"]
        if let key, Base64URL.decodeLeniently(key).map({ $0.count == 65 && $0[0] == 4 }) != true {
            return SinkPages.problem(
                400, "key is an applicationServerKey: 65 bytes of an uncompressed point, in base64url")
        }
        do {
            let subscriber = try subscribers.add(applicationServerKey: key)
            standIn.withLock { $0.subscribers[subscriber.id] = subscriber }
            return SinkPages.json(subscriber.subscriptionJSON)
        } catch {
            return SinkPages.problem(500, "\(error)")
        }
    }
}
