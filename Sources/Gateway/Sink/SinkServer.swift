package import Inbox
import Push
package import Transport

/// A stand-in for the push services on this machine: APNs, FCM, OneSignal and Web Push on one port, with scripted
/// faults and a page that shows the phones' screens.
///
/// HTTP/2 or HTTP/1.1 over TLS; a request's path decides its service. Each service's own rules are in `Push`, as
/// ``Push/ProviderStandIn``.
package final class SinkServer: Sendable {
    package let address: SocketAddress
    /// The environment variables that point a server here.
    package let variables: [(name: String, value: String)]
    private let sink: Sink
    private let shards: ShardGroup

    /// Starts to accept.
    ///
    /// - Throws: if the address is taken, or a file of the folder cannot be used.
    package init(_ options: SinkOptions, now: @escaping @Sendable () -> Timestamp, outputs: SinkOutputs) throws {
        let folder = options.folder
        let tls = try TLSContext(
            certificateFile: folder.certificateFile, keyFile: folder.certificateKeyFile,
            applicationProtocols: ["h2", "http/1.1"])
        let socket = try Listener.open(options.listen)
        address = socket.address
        variables = try folder.variables(for: address, of: options.services)
        let sink = try Sink(
            options, baseURL: SinkFolder.baseURL(of: address), origins: SinkFolder.origins(of: address), now: now,
            outputs: outputs)
        self.sink = sink
        var limits = HTTP2ServerSession.Limits()
        limits.concurrentStreams = options.concurrentStreams
        let shards = try ShardGroup(count: options.shards, poller: .epoll)
        self.shards = shards
        shards.shards[0].post { [limits] on in
            // The shard keeps its listener.
            _ = Listener(socket, on: on) { descriptor, _ in
                shards.next.post { on in
                    // A client that cannot be served sees its connection closed.
                    _ = try? Connection(descriptor: descriptor, tls: tls, on: on) {
                        SinkConnection($0, sink: sink, limits: limits)
                    }
                }
            }
        }
    }

    /// The summary of all requests so far, as ``Push/SinkTally/json``.
    package var summary: [UInt8] { sink.summary }

    /// The phones' screens, as `{"phones": […]}`.
    var screens: [UInt8] { sink.phonesJSON }

    package func stop(completion: @escaping @Sendable () -> Void) { shards.stop(completion: completion) }
}
