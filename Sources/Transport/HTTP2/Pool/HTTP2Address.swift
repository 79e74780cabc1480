import CLinux
import Dispatch
import Glibc

/// One socket address of a server's name.
struct HTTP2Address: Sendable, Hashable {
    private let family: Int32
    private let bytes: [UInt8]

    init(family: Int32, bytes: [UInt8]) {
        self.family = family
        self.bytes = bytes
    }

    /// All addresses of a name, in the system's order of preference. Blocks during the look-up.
    static func all(of address: SocketAddress) -> Result<[HTTP2Address], SystemCallError> {
        var found: [HTTP2Address] = []
        do {
            // `resolve` stops at the first address that succeeds: throwing for each shows all of them.
            try address.resolve { (family, pointer, length) throws(SystemCallError) -> Never in
                let bytes = UnsafeRawBufferPointer(start: pointer, count: Int(length))
                found.append(HTTP2Address(family: family, bytes: Array(bytes)))
                throw SystemCallError("resolve", errno: 0)
            }
        } catch {
            return found.isEmpty ? .failure(error) : .success(found)
        }
    }

    /// A socket that is connecting; the caller owns it.
    func connect() throws(SystemCallError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw SystemCallError("socket", errno: errno) }
        // All output of a turn leaves in one call; waiting for more would only delay it.
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        let code = bytes.withUnsafeBytes { bytes in
            // The bytes come from getaddrinfo; connect(2) copies them, however they are aligned.
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard code == 0 || errno == EINPROGRESS else {
            let error = SystemCallError("connect", errno: errno)
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }
}
