import CLinux
import Glibc
import WireProtocol

/// An address to listen at or to connect to: an Internet address or a Unix socket's path.
package enum SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// An empty host means all addresses of this machine, of both families; a client connects to the loopback address.
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// For a Unix socket's path: `sun_path` of unix(7), without the zero behind it.
    package static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }

    /// Whether only this machine can connect.
    package var isLoopback: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
        }
    }

    /// Whether the two cannot be listened at beside each other: they have a port in common, and a host or all hosts.
    package func collides(with other: SocketAddress) -> Bool {
        switch (self, other) {
        case (.unix(let path), .unix(let otherPath)): path == otherPath
        case (.tcp(let host, let port), .tcp(let otherHost, let otherPort)):
            port == otherPort && port != 0
                && (host == otherHost || [host, otherHost].contains { ["", "::", "0.0.0.0"].contains($0) })
        case (.unix, .tcp), (.tcp, .unix): false
        }
    }

    /// Calls `body` with each socket address of the name, until one succeeds; throws the error of the last one.
    func resolve<Result>(
        _ body: (_ family: Int32, UnsafePointer<sockaddr>, socklen_t) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        switch self {
        case .unix(let path): try Self.withUnixAddress(path, body)
        case .tcp(let host, let port): try Self.withInternetAddress(host, port, body)
        }
    }

    /// ``resolve(_:)`` for a listening socket.
    func resolveForListening<Result>(
        _ body: (_ family: Int32, UnsafePointer<sockaddr>, socklen_t) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        guard case .tcp(host: "", let port) = self else { return try resolve(body) }
        do {
            return try Self.withInternetAddress("::", port, body)
        } catch  where [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errno) {
            // The machine has no IPv6.
            return try Self.withInternetAddress("0.0.0.0", port, body)
        }
    }

    private static func withUnixAddress<Result>(
        _ path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count <= maximumPathBytes else {
            throw SystemCallError("bind", errno: ENAMETOOLONG, subject: path)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Swift.Result { () throws(SystemCallError) in
                    try body(AF_UNIX, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        return try outcome.get()
    }

    private static func withInternetAddress<Result>(
        _ host: String, _ port: UInt16,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        // No name means the loopback address.
        let status = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        var failure = SystemCallError("getaddrinfo", errno: Self.code(ofLookUp: status), subject: host)
        var next = list
        while let entry = next {
            do {
                if let address = entry.pointee.ai_addr {
                    return try body(entry.pointee.ai_family, address, entry.pointee.ai_addrlen)
                }
            } catch {
                failure = error
            }
            next = entry.pointee.ai_next
        }
        throw failure
    }

    /// The nearest errno: getaddrinfo has codes of its own, whose numbers mean something else as an errno.
    private static func code(ofLookUp status: Int32) -> Int32 {
        switch status {
        case EAI_SYSTEM: errno
        case EAI_AGAIN: EAGAIN
        default: ENOENT
        }
    }
}

extension SocketAddress {
    /// Reads `HOST:PORT`, `[V6]:PORT`, `:PORT` (all addresses) or `unix:PATH`.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            // Brackets are for addresses only; empty ones would mean all addresses.
            guard IPAddress(host) != nil else { return nil }
        } else if host.contains(":") {
            // "::1:8080" could be an address with a port, or an address alone.
            return nil
        }
        self = .tcp(host: host, port: port)
    }
}

extension SocketAddress {
    /// The address with the port that the kernel chose for port 0.
    func withPort(of descriptor: Int32) -> SocketAddress {
        guard case .tcp(let host, 0) = self, case .tcp(_, let port) = SocketAddress(localOf: descriptor) else {
            return self
        }
        return .tcp(host: host, port: port)
    }

    /// The address that a socket is bound to; nil for other address families.
    init?(localOf descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0 else { return nil }
        if let address = IPAddress(storage) {
            // The port has the same offset in both families' addresses.
            let port = withUnsafeBytes(of: storage) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
            self = .tcp(host: address.description, port: UInt16(bigEndian: port))
        } else if Int32(storage.ss_family) == AF_UNIX {
            let path = withUnsafeBytes(of: storage) { $0[2..<max(2, min(Int(length), $0.count))].prefix { $0 != 0 } }
            self = .unix(path: String(decoding: path, as: UTF8.self))
        } else {
            return nil
        }
    }
}
