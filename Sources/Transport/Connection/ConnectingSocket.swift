import CLinux
import Glibc
import WireProtocol

/// A nonblocking socket that is connecting to a server.
package enum ConnectingSocket {
    private static let bindWithoutPort: Int32 = 24  // IP_BIND_ADDRESS_NO_PORT of linux/in.h

    /// Begins to connect to the first usable address of `address`; the result is known when the socket becomes
    /// writable. The look-up of a name may block: meant for client programs.
    package static func open(_ address: SocketAddress) throws(SystemCallError) -> Int32 {
        try address.resolve { (family, pointer, length) throws(SystemCallError) in
            try open(family, pointer, length, from: nil, to: address)
        }
    }

    /// - Parameter source: the local address to connect from; nil lets the system choose. The port is chosen when the
    ///   socket connects, so that each source address can use all ports to each server.
    static func open(
        _ family: Int32, _ pointer: UnsafePointer<sockaddr>, _ length: socklen_t, from source: IPAddress?,
        to address: SocketAddress
    ) throws(SystemCallError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw SystemCallError("socket", errno: errno, subject: address.description) }
        do throws(SystemCallError) {
            if let source { try bind(descriptor, family, to: source) }
        } catch {
            close(descriptor)
            throw error
        }
        guard connect(descriptor, pointer, length) == 0 || errno == EINPROGRESS else {
            let error = SystemCallError("connect", errno: errno, subject: address.description)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func bind(
        _ descriptor: Int32, _ family: Int32, to source: IPAddress
    ) throws(SystemCallError) {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_IP), bindWithoutPort, &isOn, socklen_t(MemoryLayout<Int32>.size))
        try SocketAddress.tcp(host: source.description, port: 0).resolve {
            (sourceFamily, pointer, length) throws(SystemCallError) in
            guard sourceFamily == family, Glibc.bind(descriptor, pointer, length) == 0 else {
                let reason = sourceFamily == family ? errno : EAFNOSUPPORT
                throw SystemCallError("bind", errno: reason, subject: source.description)
            }
        }
    }
}
