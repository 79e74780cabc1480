import JSON
package import Transport
package import WireProtocol

/// One live session, seen from the client: says hello, hands on every frame, and acknowledges what it was shown.
///
/// Lives on a shard of the client's process; many may share one.
package final class LiveClient {
    package struct Options: Sendable {
        /// One without a path means the gateway's own, `/v1/live`.
        package var url: WebSocketURL
        /// Whom to trust at a `wss` URL, where it must be given.
        package var tls: TLSClientContext?
        package var token: String
        /// Goes on where an earlier session ended.
        package var resume: ClientFrame.Hello.Resume?
        /// Whether somebody looks at the screen: only then does an acknowledgement prevent a push.
        package var isActive: Bool
        package var acknowledges: Bool

        package init(
            url: WebSocketURL, tls: TLSClientContext? = nil, token: String, resume: ClientFrame.Hello.Resume? = nil,
            isActive: Bool = true, acknowledges: Bool = false
        ) {
            self.url = url
            self.tls = tls
            self.token = token
            self.resume = resume
            self.isActive = isActive
            self.acknowledges = acknowledges
        }
    }

    package enum Event: Sendable {
        case frame(ReceivedFrame)
        /// A message that is no frame of this protocol.
        case garbage([UInt8])
        /// No session came of it.
        case failed(WebSocketConnector.Failure)
        /// The last event of a session that was open.
        case closed(code: UInt16)
    }

    package typealias Listener = (Event, borrowing OnShard) -> Void

    private let options: Options
    private let listener: Listener
    private var webSocket: WebSocketConnection?

    /// - Parameter listener: called on the shard.
    package init(_ options: Options, listener: @escaping Listener) {
        self.options = options
        self.listener = listener
    }

    /// Connects; the shard keeps the client for as long as the connection is open.
    package func connect(_ on: borrowing OnShard) {
        var headers = HTTPHeaders()
        headers.add("Authorization", "Bearer \(options.token)")
        let target = WebSocketConnector.Target(
            url: options.url.path == "/" ? options.url.at("/v1/live") : options.url, tls: options.tls,
            subprotocols: [LiveSubprotocol.name], headers: headers)
        WebSocketConnector.connect(target, handler: self, on) { [listener] failure, on in
            listener(.failed(failure), on)
        }
    }

    /// Why no session came of it, with what a gateway says about a refusal, such as `token_expired`.
    package static func reason(_ failure: WebSocketConnector.Failure) -> String {
        guard case .refused(.refused(_, _, let body)) = failure,
            // What is no problem of a gateway's, a proxy's page for instance, is told by its status.
            let problem = try? JSONValue(parsing: body), let code = problem.at(["code"])?.string
        else { return failure.description }
        return "\(failure): \(code)" + (problem.at(["detail"])?.string.map { ", \($0)" } ?? "")
    }

    package func send(_ frame: ClientFrame, _ on: borrowing OnShard) { webSocket?.send(text: frame.encoded, on) }

    /// - Parameter place: nil: from the feed's next item on.
    package func subscribe(to feed: String, after place: FeedPosition?, _ on: borrowing OnShard) {
        send(ClientFrame(.subscribe(feed: feed, after: place)), on)
    }

    /// Ends the session in good order.
    package func close(_ on: borrowing OnShard) { webSocket?.close(1000, reason: "", on) }
}

extension LiveClient: WebSocketHandler {
    /// A page of notifications is the largest that a gateway sends.
    package var maximumMessageBytes: Int { 4 << 20 }

    package func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        let hello = ClientFrame.Hello(resume: options.resume, isActive: options.isActive)
        send(ClientFrame(.hello(hello)), on)
    }

    package func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        do throws(ReceivedFrame.Problem) {
            for frame in try ReceivedFrame.frames(in: Array(text)) {
                listener(.frame(frame), on)
                if options.acknowledges, frame.type == "new" || frame.type == "update", let seq = frame.seq {
                    send(ClientFrame(.ack(seq: seq)), on)
                }
            }
        } catch {
            listener(.garbage(Array(text)), on)
        }
    }

    package func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        webSocket = nil
        listener(.closed(code: ending.code), on)
    }

    package func isAlive(_ on: borrowing OnShard) {}
    package func deadlineReached(_ on: borrowing OnShard) {}
    package func outputBlocked(_ on: borrowing OnShard) {}
    package func outputDrained(_ on: borrowing OnShard) {}
}
