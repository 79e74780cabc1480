package import Inbox
import JSON
package import Push
package import Transport

/// A stand-in for the push services, on this machine: HTTP/2 over TLS, with scripted faults, and a line for each push.
package final class SinkServer: Sendable {
    /// What a sink prints: whole JSON objects, one a request.
    package typealias Printer = @Sendable (_ line: [UInt8]) -> Void

    package let address: SocketAddress
    private let shards: ShardGroup

    /// Starts to accept.
    ///
    /// - Parameter tls: offers `h2` by ALPN.
    package init(
        listen: SocketAddress, tls: TLSContext, script: SinkScript, now: @escaping @Sendable () -> Timestamp,
        print: @escaping Printer
    ) throws {
        let socket = try Listener.open(listen)
        address = socket.address
        shards = try ShardGroup(count: 1, poller: .epoll)
        shards.shards[0].post { on in
            let sink = Sink(script: script, now: now, print: print)
            let listener = Listener(socket, on: on) { descriptor, on in
                // A client that cannot be served sees its connection closed.
                _ = try? Connection(descriptor: descriptor, tls: tls, on: on) { SinkConnection($0, sink: sink) }
            }
            sink.listener = listener
        }
    }

    package func stop(completion: @escaping @Sendable () -> Void) { shards.stop(completion: completion) }
}
