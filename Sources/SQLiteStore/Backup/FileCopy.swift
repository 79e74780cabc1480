#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Copies a file's bytes into an existing file.
enum FileCopy {
    private static let bytesPerStep = 4 << 20

    /// - Parameter progress: gets the part that is done, from 0 to 1.
    static func copy(_ path: String, to target: String, progress: (Double) -> Void) throws(BackupError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .system(call: "open", path: path, errno: errno) }
        defer { close(source) }
        let copy = open(target, O_WRONLY | O_CLOEXEC)
        guard copy >= 0 else { throw .system(call: "open", path: target, errno: errno) }
        defer { close(copy) }
        let whole = Double(max(lseek(source, 0, SEEK_END), 1))
        lseek(source, 0, SEEK_SET)
        var buffer = [UInt8](repeating: 0, count: bytesPerStep)
        var copied = 0
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count >= 0 else { throw .system(call: "read", path: path, errno: errno) }
            if count == 0 { return }
            var written = 0
            while written < count {
                let step = buffer.withUnsafeBytes { write(copy, $0.baseAddress.map { $0 + written }, count - written) }
                guard step > 0 else { throw .system(call: "write", path: target, errno: errno) }
                written += step
            }
            copied += count
            progress(Double(copied) / whole)
        }
    }
}
