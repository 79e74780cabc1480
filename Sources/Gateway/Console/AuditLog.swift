import Dispatch
import Glibc
import Logging

/// What operators have done by the console: a JSON object a line in a file that only grows, in the data folder.
///
/// An action runs only after its line is written. From any thread.
final class AuditLog: Sendable {
    /// Then the file becomes `audit.log.1`, and the earlier one of that name goes.
    static let maximumBytes = 16 << 20
    static let name = "audit.log"
    /// The last part of the file that the console shows.
    private static let shownBytes = 256 << 10

    let path: String
    private let logger: Logger
    private let queue = DispatchQueue(label: "belfry.audit")

    init(folder: String, logger: Logger) {
        path = (folder.hasSuffix("/") ? folder : folder + "/") + Self.name
        self.logger = logger
    }

    /// - Parameter completion: whether the line is in the file; runs on the log's queue.
    func write(_ entry: AuditEntry, completion: @escaping @Sendable (Bool) -> Void) {
        queue.async { [self] in
            rotateIfFull()
            let isWritten = append(entry.line)
            if !isWritten {
                logger.error(
                    "the audit log cannot be written, so the console changes nothing",
                    metadata: ["file": "\(path)", "reason": "\(String(cString: strerror(errno)))"])
            }
            completion(isWritten)
        }
    }

    /// The last lines, oldest first, at most `limit`.
    ///
    /// - Parameter completion: runs on the log's queue.
    func read(_ limit: Int, completion: @escaping @Sendable ([[UInt8]]) -> Void) {
        queue.async { [self] in
            let bytes = tail()
            completion(bytes.split(separator: UInt8(ascii: "\n")).suffix(limit).map(Array.init))
        }
    }

    private func append(_ line: [UInt8]) -> Bool {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // One call: lines of two processes do not mix.
        return Glibc.write(descriptor, line, line.count) == line.count
    }

    private func rotateIfFull() {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if Int(lseek(descriptor, 0, SEEK_END)) > Self.maximumBytes { rename(path, path + ".1") }
    }

    /// The end of the file, from the beginning of a line; nothing if it cannot be read.
    private func tail() -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let start = max(0, size - Self.shownBytes)
        var bytes = [UInt8](repeating: 0, count: max(0, size - start))
        let count = pread(descriptor, &bytes, bytes.count, off_t(start))
        bytes.removeLast(bytes.count - max(0, count))
        guard start > 0, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return bytes }
        return Array(bytes[(end + 1)...])
    }
}
