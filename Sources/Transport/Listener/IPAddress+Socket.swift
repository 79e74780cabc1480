import CLinux
import Glibc
package import WireProtocol

extension IPAddress {
    /// The peer's address of a connected Internet socket; nil for other sockets, and after the connection has ended.
    package init?(peerOf descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard code == 0 else { return nil }
        self.init(storage)
    }

    init?(_ storage: sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET:
            let bits = withUnsafeBytes(of: storage) { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
            self.init(v4: UInt32(bigEndian: bits))
        case AF_INET6:
            // sockaddr_in6: family, port, flow, then the address.
            let halves = withUnsafeBytes(of: storage) { bytes in
                [8, 16].map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
            }
            self.init(high: halves[0], low: halves[1])
        default:
            return nil
        }
    }
}
