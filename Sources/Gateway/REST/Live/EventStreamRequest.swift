import WireProtocol

/// `GET /v1/live/events` and `GET /v1/live/poll`: the live protocol for clients that cannot open a WebSocket. The query
/// says what the client's first frames would.
struct EventStreamRequest {
    /// The hello, and a `subscribe` for each feed.
    let frames: [ClientFrame]

    /// The head of an event stream. Proxies that keep answers back are asked not to: nginx knows the last field.
    static let answer = HTTPResponse(
        status: 200,
        headers: [
            "Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no",
        ])

    init(_ head: HTTPRequestHead) throws(Problem) {
        var hello = ClientFrame.Hello()
        // A browser that comes back by itself knows better than the address, which is of its first time.
        if let place = head.headers["Last-Event-ID"] ?? head.query["resume"] {
            hello.resume = try Self.resume(place)
        }
        hello.device = head.query["device"]
        switch head.query["active"] {
        case nil, "true": break
        case "false": hello.isActive = false
        default: throw .parameter("active", "expected true or false")
        }
        let feeds = head.query.values("feed").flatMap { $0.split(separator: ",") }.map(String.init)
        frames =
            [ClientFrame(.hello(hello))] + feeds.map { ClientFrame(.subscribe(feed: $0, after: nil)) }
    }

    /// A place as the stream's `id` fields have it.
    private static func resume(_ place: String) throws(Problem) -> ClientFrame.Hello.Resume {
        let parts = place.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let seq = Int64(parts[1]), seq >= 0 else {
            throw .parameter("resume", "expected an epoch and a seq, such as 8ts6wq366364n0h.12")
        }
        return .init(epoch: String(parts[0]), seq: seq)
    }
}
