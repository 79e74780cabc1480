import BelfryClient
import Foundation
import Transport
import WireProtocol

/// WebSockets by our own engine, for the client library where Foundation has none.
struct EngineTransport: LiveTransport {
    let shard: Shard

    func open(
        _ url: URL, subprotocol: String, listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) -> any LiveSocket {
        let socket = EngineSocket(shard, listener)
        shard.post { on in
            do throws(WebSocketURL.Problem) {
                let target = WebSocketConnector.Target(
                    url: try WebSocketURL(url.absoluteString), tls: nil, subprotocols: [subprotocol],
                    headers: HTTPHeaders())
                let handler = socket.handler.withState { $0 }
                WebSocketConnector.connect(target, handler: handler, on) { _, _ in listener(.closed(code: nil)) }
            } catch {
                listener(.closed(code: nil))
            }
        }
        return socket
    }
}

private struct EngineSocket: LiveSocket {
    let shard: Shard
    let handler: QueueBound<Handler>

    init(_ shard: Shard, _ listener: @escaping @Sendable (LiveSocketEvent) -> Void) {
        self.shard = shard
        handler = QueueBound(Handler(listener), on: shard.queue)
    }

    func send(_ text: String) {
        shard.post { [handler] on in handler.withState { $0 }.webSocket?.send(text: Array(text.utf8), on) }
    }

    func close() {
        shard.post { [handler] on in handler.withState { $0 }.close(on) }
    }

    final class Handler: WebSocketHandler {
        let maximumMessageBytes = 4 << 20
        private(set) var webSocket: WebSocketConnection?
        private var isOver = false
        private let listener: @Sendable (LiveSocketEvent) -> Void

        init(_ listener: @escaping @Sendable (LiveSocketEvent) -> Void) { self.listener = listener }

        func close(_ on: borrowing OnShard) {
            isOver = true
            webSocket?.close(1000, reason: "", on)
        }

        func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
            self.webSocket = webSocket
            if isOver { webSocket.close(1000, reason: "", on) } else { listener(.opened) }
        }

        func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
            listener(.received(String(decoding: text, as: UTF8.self)))
        }

        func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
            webSocket = nil
            listener(.closed(code: Int(ending.code)))
        }

        func isAlive(_ on: borrowing OnShard) {}
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) {}
    }
}
