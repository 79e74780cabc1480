import JSON
package import Transport
package import WireProtocol

/// One live session on the client's side: says hello, passes on every frame, and acknowledges shown changes.
///
/// Lives on a shard of the client's process; many clients may share one.
package final class LiveClient {
    package struct Options: Sendable {
        /// A URL without a path means the gateway's own path, `/v1/live`.
        package var url: WebSocketURL
        /// The trusted certificates; required for a `wss` URL.
        package var tls: TLSClientContext?
        package var token: String
        /// The position at which an earlier session ended.
        package var resume: ClientFrame.Hello.Resume?
        /// Whether a person looks at the screen: only then does an acknowledgement prevent a push.
        package var isActive: Bool
        package var acknowledges: Bool
        /// How long the server may be silent beyond a heartbeat's time.
        package var silenceGrace: Duration

        package init(
            url: WebSocketURL, tls: TLSClientContext? = nil, token: String, resume: ClientFrame.Hello.Resume? = nil,
            isActive: Bool = true, acknowledges: Bool = false, silenceGrace: Duration = .seconds(10)
        ) {
            self.url = url
            self.tls = tls
            self.token = token
            self.resume = resume
            self.isActive = isActive
            self.acknowledges = acknowledges
            self.silenceGrace = silenceGrace
        }
    }

    package enum Event: Sendable {
        case frame(ReceivedFrame)
        /// A message that is no frame of this protocol.
        case garbage([UInt8])
        /// There is no session.
        case failed(WebSocketConnector.Failure)
        /// The last event of a session that was open.
        case closed(code: UInt16)
        /// The last event of an open session whose server was silent for too long to be still there.
        case silent
    }

    package typealias Listener = (Event, borrowing OnShard) -> Void

    private let options: Options
    private let listener: Listener
    private var webSocket: WebSocketConnection?
    private var pace = AcknowledgementPace()
    /// The longest time between two heartbeats; a server's default until `ready` tells it.
    private var heartbeat = Duration.seconds(25) * 1.1
    private var hasGivenUp = false

    /// - Parameter listener: called on the shard.
    package init(_ options: Options, listener: @escaping Listener) {
        self.options = options
        self.listener = listener
    }

    /// Connects; the shard keeps the client while the connection is open.
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

    /// Why there is no session, with the gateway's reason for a refusal, such as `token_expired`.
    package static func reason(_ failure: WebSocketConnector.Failure) -> String {
        guard case .refused(.refused(_, _, let body)) = failure,
            // A body that is no problem of a gateway, such as a proxy's page, is told by its status.
            let problem = try? JSONValue(parsing: body), let code = problem.at(["code"])?.string
        else { return failure.description }
        return "\(failure): \(code)" + (problem.at(["detail"])?.string.map { ", \($0)" } ?? "")
    }

    package func send(_ frame: ClientFrame, _ on: borrowing OnShard) { webSocket?.send(text: frame.encoded, on) }

    /// - Parameter place: nil to begin with the feed's next item.
    package func subscribe(to feed: String, after place: ResumePoint?, _ on: borrowing OnShard) {
        send(ClientFrame(.subscribe(feed: feed, after: place)), on)
    }

    /// Acknowledges all changes up to this one soon, together with those shown until then. Does nothing for a client
    /// that does not acknowledge.
    package func acknowledge(upTo seq: Int64, _ on: borrowing OnShard) {
        guard options.acknowledges, let moment = pace.shown(upTo: seq, at: on.now) else { return }
        on.shard.schedule(at: moment, on) { [self] on in
            if let seq = pace.take(at: on.now) { send(ClientFrame(.ack(seq: seq)), on) }
        }
    }

    /// Ends the session with a close frame.
    package func close(_ on: borrowing OnShard) { webSocket?.close(1000, reason: "", on) }
}

extension LiveClient: WebSocketHandler {
    /// The largest message of a gateway is a page of notifications.
    package var maximumMessageBytes: Int { 4 << 20 }

    package func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        heard(on)
        let hello = ClientFrame.Hello(resume: options.resume, isActive: options.isActive)
        send(ClientFrame(.hello(hello)), on)
    }

    package func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        do throws(ReceivedFrame.Problem) {
            for frame in try ReceivedFrame.frames(in: Array(text)) {
                if frame.type == "ready" { begin(frame) }
                listener(.frame(frame), on)
                if frame.isNotification, let seq = frame.seq { acknowledge(upTo: seq, on) }
            }
        } catch {
            listener(.garbage(Array(text)), on)
        }
        heard(on)
    }

    private func begin(_ ready: ReceivedFrame) {
        pace.begin(ready)
        guard let milliseconds = ready.object["heartbeat"]?.int, milliseconds > 0 else { return }
        // Heartbeats vary by a tenth.
        heartbeat = .milliseconds(min(milliseconds, 86_400_000)) * 1.1
    }

    /// The server sends heartbeats, so a longer silence means that its machine or the network is gone.
    private func heard(_ on: borrowing OnShard) {
        webSocket?.setDeadline(on.now + heartbeat + options.silenceGrace, on)
    }

    package func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        webSocket = nil
        listener(hasGivenUp ? .silent : .closed(code: ending.code), on)
    }

    package func isAlive(_ on: borrowing OnShard) { heard(on) }

    package func deadlineReached(_ on: borrowing OnShard) {
        hasGivenUp = true
        // A server that is gone would not answer a close frame.
        webSocket?.abort(on)
    }

    package func outputBlocked(_ on: borrowing OnShard) {}
    package func outputDrained(_ on: borrowing OnShard) {}
}
