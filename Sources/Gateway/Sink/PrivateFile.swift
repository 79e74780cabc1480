import Glibc
import Transport

/// Writes files that only their owner may read.
enum PrivateFile {
    /// Writes a file that appears whole or not at all, and replaces an existing one.
    static func write(_ bytes: [UInt8], to path: String) throws(SystemCallError) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError("open", errno: errno, subject: draft) }
        do {
            defer { close(descriptor) }
            try append(bytes, to: descriptor, subject: draft)
        }
        guard rename(draft, path) == 0 else { throw SystemCallError("rename", errno: errno, subject: path) }
    }

    /// Opens a file for ``append(_:to:subject:)``; the caller closes the descriptor.
    static func openToAppend(_ path: String) throws(SystemCallError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError("open", errno: errno, subject: path) }
        return descriptor
    }

    /// Writes all bytes.
    static func append(_ bytes: [UInt8], to descriptor: Int32, subject: String) throws(SystemCallError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemCallError("write", errno: errno, subject: subject) }
            rest = rest.dropFirst(count)
        }
    }
}
