import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// The demo of the public listener in development: two people side by side, and events to publish to them.
///
/// It gives out tokens, so it answers only under this machine's own names, and changes nothing for other origins'
/// pages.
final class Demo: Sendable {
    enum Endpoint: Sendable, Hashable {
        case file(String)
        /// Leads to the page.
        case home
        case events, screens, token, publish
    }

    /// The demo's recipients; none of them is an actor in the catalogs' samples.
    static let people = [("maya", "Maya"), ("tom", "Tom")]

    private static let page = "index.html"
    /// Its own files, and those that it shares with the console.
    private static let allFiles = EmbeddedFiles.demo + EmbeddedFiles.shared
    private static let router = Router<Endpoint>(
        [
            Route("GET", "/", query: .any(), gives: .elsewhere, .home),
            Route("GET", "/demo", query: .any(), gives: .file, .file(page)),
            Route("GET", "/demo/events", query: .any(knowing: ["to"]), gives: .json, .events),
            Route("GET", "/demo/screens", query: .any(), gives: .json.or(404), .screens),
            Route("POST", "/demo/token", query: .any(knowing: ["to"]), gives: .json, .token),
            Route(
                "POST", "/demo/publish", query: .any(knowing: ["to", "type"]), gives: .accepted.or(404, 409, 422),
                .publish),
        ]
            + allFiles.filter { $0.name != page }.map {
                Route("GET", "/demo/\($0.name)", query: .any(), gives: .file, .file($0.name))
            })

    /// The demo's pages load everything from here.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

    private let node: Node
    private let broadcaster: Broadcaster
    private let development: Development
    private let socket: String
    private let files: [String: StaticFile]

    /// - Parameter socket: the publishers' socket, as a shell command names it.
    init(node: Node, broadcaster: Broadcaster, development: Development, socket: String) {
        self.node = node
        self.broadcaster = broadcaster
        self.development = development
        self.socket = socket
        let headers = [("Content-Security-Policy", Self.policy), ("Referrer-Policy", "no-referrer")]
        files = Dictionary(
            uniqueKeysWithValues: Self.allFiles.map { name, content in
                (name, StaticFile(name: name, content: content, headers: headers))
            })
    }

    /// Whether a page of the demo sends the request: it may open sessions whatever origins the settings name.
    func isAsked(by head: HTTPRequestHead) -> Bool { head.isForLoopback && head.isOfSameOrigin }

    /// Nil for a path that is not the demo's.
    func receive(_ head: HTTPRequestHead, from peer: Peer) -> HTTPDisposition? {
        switch Self.router.match(head) {
        case .unserved(let answer): return answer.status == 404 ? nil : .answer(answer)
        case .found(_, _) where !head.isForLoopback: return .answer(Self.strangeHost.response)
        case .found(.home, _): return .answer(HTTPResponse(status: 303).adding("Location", "/demo"))
        case .found(.file(let name), _):
            return .answer(files[name]?.answer(to: head, caching: "no-cache") ?? Problem.notFound.response)
        case .found(.events, _): return .answer(answer { () throws(Problem) in events(try recipients(of: head)) })
        case .found(.screens, _):
            guard let sink = development.sink else { return .answer(Self.noSink.response) }
            return .answer(.json { $0.raw(sink.screens) }.adding("Cache-Control", "no-store"))
        case .found(_, _) where !head.isOfSameOrigin: return .answer(Problem.forbiddenOrigin.response)
        case .found(.token, _): return .answer(answer { () throws(Problem) in try token(for: recipients(of: head)) })
        case .found(.publish, _):
            return .collect { [self] request, reply, on in publish(request, from: peer, reply, on) }
        }
    }

    private func answer(_ body: () throws(Problem) -> HTTPResponse) -> HTTPResponse {
        do throws(Problem) {
            return try body().adding("Cache-Control", "no-store")
        } catch {
            return error.response
        }
    }

    // MARK: Calls

    /// The people in `to`, separated by commas; all people without it.
    private func recipients(of head: HTTPRequestHead) throws(Problem) -> [UserID] {
        let known = Self.people.compactMap { UserID($0.0) }
        guard let names = head.query["to"]?.split(separator: ",").map(String.init), !names.isEmpty else { return known }
        guard names.allSatisfy(known.map(\.name).contains) else {
            throw .parameter("to: expected \(known.map(\.name).joined(separator: " or ")), or both with a comma")
        }
        return known.filter { names.contains($0.name) }
    }

    private func token(for people: [UserID]) throws(Problem) -> HTTPResponse {
        guard people.count == 1,
            let token = try? development.issuer.token(for: people[0], at: node.now(), lifetime: .seconds(3_600))
        else {
            throw .parameter("to: expected one of the demo's people")
        }
        return .object { $0.member("token", token) }
    }

    private func events(_ people: [UserID]) -> HTTPResponse {
        .object { json in
            json.key("people")
            json.array { json in
                for (id, name) in Self.people {
                    json.object { json in
                        json.member("id", id)
                        json.member("name", name)
                    }
                }
            }
            if let sinkURL = development.sinkURL { json.member("sink", sinkURL) }
            json.key("catalogs")
            json.array { json in
                for catalog in node.catalogs(of: .unnamed).catalogs {
                    json.object { write(catalog, to: people, &$0) }
                }
            }
        }
    }

    private func write(_ catalog: Catalog, to people: [UserID], _ json: inout JSONWriter) {
        json.member("name", catalog.name)
        json.member("title", catalog.title())
        json.key("events")
        json.array { json in
            for sample in Self.samples(of: catalog, to: people) {
                json.object { json in
                    json.member("type", sample.type)
                    if let text = sample.text { json.member("text", text) }
                    json.member("call", sample.call(socket: socket))
                }
            }
        }
    }

    private static func samples(of catalog: Catalog, to people: [UserID]) -> [SampleEvent] {
        catalog.samples(to: people).map { sample in
            var sample = sample
            sample.json = DemoPictures.replaced(in: sample.json)
            return sample
        }
    }

    /// Publishes the sample of this `type`, as a backend would.
    private func publish(_ request: HTTPRequest, from peer: Peer, _ reply: HTTPReply, _ on: borrowing OnShard) {
        do throws(Problem) {
            let people = try recipients(of: request.head)
            let type = request.head.query["type"]
            let samples = node.catalogs(of: .unnamed).catalogs.flatMap { Self.samples(of: $0, to: people) }
            guard let sample = samples.first(where: { $0.type == type }) else {
                throw Problem(status: 404, code: "unknown_event_type", detail: "type: expected one of /demo/events")
            }
            let body = sample.json.encoded
            let publisher = Publisher(peer: peer, record: nil)
            guard let share = node.publishLoad.take(body.count, by: publisher) else { throw Problem(.overloaded) }
            PublishRoutes(node: node, broadcaster: broadcaster, app: .unnamed)
                .publishEvents(HTTPRequest(head: request.head, body: body), by: publisher, share, reply, on)
        } catch {
            reply.send(error.response, on)
        }
    }

    private static let strangeHost = Problem(
        status: 403, code: "forbidden_host", detail: "the demo answers to 127.0.0.1, [::1] and localhost alone")
    private static let noSink = Problem(
        status: 404, code: "no_sink", detail: "pushes go to the services that the settings name")
}
