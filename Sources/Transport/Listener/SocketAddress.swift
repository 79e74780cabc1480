import CLinux
import Glibc

/// Where to listen or connect: an Internet address or a Unix socket's path.
package enum SocketAddress: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }

    /// Calls `body` with each socket address that the name stands for, until one succeeds; throws the last one's error.
    func resolve<Result>(
        _ body: (_ family: Int32, UnsafePointer<sockaddr>, socklen_t) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        switch self {
        case .unix(let path): try Self.withUnixAddress(path, body)
        case .tcp(let host, let port): try Self.withInternetAddress(host, port, body)
        }
    }

    private static func withUnixAddress<Result>(
        _ path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { throw SystemCallError("bind", errno: ENAMETOOLONG, subject: path) }
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
        let status = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        var failure = SystemCallError("getaddrinfo", errno: status == EAI_SYSTEM ? errno : ENOENT, subject: host)
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
}

extension SocketAddress {
    /// Reads `HOST:PORT`, `[V6]:PORT`, `:PORT` (all IPv4 addresses) or `unix:PATH`.
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
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self = .tcp(host: host.isEmpty ? "0.0.0.0" : host, port: port)
    }
}
