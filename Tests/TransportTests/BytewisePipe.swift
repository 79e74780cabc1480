import Dispatch
import Glibc

@testable import Transport

/// Passes on what comes at its near end, a byte at a time, and what comes back as it is.
final class BytewisePipe: Sendable {
    let near: TestSocket
    private let far: TestSocket
    private let server: TestSocket

    init(to address: SocketAddress) throws {
        let (near, other) = try TestSocket.blockingPair()
        self.near = near
        far = other
        server = try TestSocket(to: address)
        var on: Int32 = 1
        setsockopt(server.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        for (source, target, size) in [(far, server, 1), (server, far, 16 << 10)] {
            Thread.detach {
                while let bytes = try? source.read(atMost: size), !bytes.isEmpty {
                    guard (try? target.send(bytes)) != nil else { break }
                }
                target.finishSending()
            }
        }
    }
}

/// Threads of their own: such loops block, and Dispatch's few threads are for others.
private enum Thread {
    static func detach(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "belfry.test.pipe").async(execute: body)
    }
}
