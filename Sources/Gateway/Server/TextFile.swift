import Glibc

/// Reads small UTF-8 files whole, with an error that names the file. A byte order mark at the beginning, as some
/// editors write it, is skipped.
package enum TextFile {
    package static func read(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ServerError("cannot open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw ServerError("cannot read \(path): \(String(cString: strerror(errno)))") }
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        do {
            return try text(bytes)
        } catch {
            throw ServerError("\(path):\(error.line): \(error)")
        }
    }

    /// The file's bytes are not UTF-8.
    struct NotUTF8: Error, CustomStringConvertible {
        /// The first line with such bytes, counted from 1.
        let line: Int

        var description: String { "expected UTF-8; save the file in that encoding" }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text of a file's bytes.
    static func text(_ bytes: [UInt8]) throws(NotUTF8) -> String {
        let bytes = bytes.starts(with: byteOrderMark) ? bytes[byteOrderMark.count...] : bytes[...]
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let wrong = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw NotUTF8(line: wrong + 1)
    }
}
