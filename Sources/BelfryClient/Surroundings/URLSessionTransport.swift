public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// WebSockets by Foundation's `URLSession`.
///
/// On Apple's systems always; on Linux only where Foundation's libcurl was built with WebSockets. Where it was not,
/// each attempt ends as where there is no network: give ``InboxOptions/transport`` another one there.
public struct URLSessionTransport: LiveTransport {
    /// Bytes of the largest message, a page of notifications.
    private static let maximumMessageBytes = 4 << 20

    /// One for any number of sockets.
    public init() {}

    /// Begins to open one, in a session of its own; see ``LiveTransport/open(_:subprotocol:listener:)``.
    public func open(
        _ url: URL, subprotocol: String, listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) -> any LiveSocket {
        let session = URLSession(configuration: .ephemeral, delegate: Witness(listener), delegateQueue: nil)
        let task = session.webSocketTask(with: url, protocols: [subprotocol])
        task.maximumMessageSize = Self.maximumMessageBytes
        task.resume()
        Self.listen(to: task, listener)
        // The session, and the witness that it holds, live until its only task has ended.
        session.finishTasksAndInvalidate()
        return Socket(task: task)
    }

    private static func listen(
        to task: URLSessionWebSocketTask, _ listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) {
        task.receive { [weak task] result in
            // The end is told by the delegate, which knows the code.
            guard let task, case .success(let message) = result else { return }
            if case .string(let text) = message { listener(.received(text)) }
            listen(to: task, listener)
        }
    }

    private struct Socket: LiveSocket {
        let task: URLSessionWebSocketTask

        func send(_ text: String) {
            // A failure ends the task, and the delegate hears of that.
            task.send(.string(text)) { _ in }
        }

        func close() { task.cancel(with: .normalClosure, reason: nil) }
    }

    /// What the session says of the socket's beginning and end.
    private final class Witness: NSObject, URLSessionWebSocketDelegate {
        private let listener: @Sendable (LiveSocketEvent) -> Void

        init(_ listener: @escaping @Sendable (LiveSocketEvent) -> Void) { self.listener = listener }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
        ) {
            listener(.opened)
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            listener(.closed(code: closeCode.rawValue))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            listener(.closed(code: nil))
        }
    }
}
