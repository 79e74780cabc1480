public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// WebSockets of Foundation's `URLSession`.
///
/// Works on Apple's systems, and on Linux if Foundation's libcurl was built with WebSockets. Without them each attempt
/// fails like one without a network: set ``InboxOptions/transport`` to another transport there.
public struct URLSessionTransport: LiveTransport {
    /// The largest message in bytes: a page of notifications.
    private static let maximumMessageBytes = 4 << 20

    /// One transport serves any number of sockets.
    public init() {}

    /// Begins to open a socket in a session of its own; see ``LiveTransport/open(_:subprotocol:listener:)``.
    public func open(
        _ url: URL, subprotocol: String, listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) -> any LiveSocket {
        let session = URLSession(configuration: .ephemeral, delegate: Witness(listener), delegateQueue: nil)
        let task = session.webSocketTask(with: url, protocols: [subprotocol])
        task.maximumMessageSize = Self.maximumMessageBytes
        task.resume()
        Self.listen(to: task, listener)
        // The session and its witness live until the only task has ended.
        session.finishTasksAndInvalidate()
        return Socket(task: task)
    }

    private static func listen(
        to task: URLSessionWebSocketTask, _ listener: @escaping @Sendable (LiveSocketEvent) -> Void
    ) {
        task.receive { [weak task] result in
            // The delegate reports the end, because it knows the code.
            guard let task, case .success(let message) = result else { return }
            if case .string(let text) = message { listener(.received(text)) }
            listen(to: task, listener)
        }
    }

    private struct Socket: LiveSocket {
        let task: URLSessionWebSocketTask

        func send(_ text: String) {
            // A failure ends the task, which the delegate reports.
            task.send(.string(text)) { _ in }
        }

        func close() { task.cancel(with: .normalClosure, reason: nil) }
    }

    /// Reports the session's events about the socket's beginning and end.
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
