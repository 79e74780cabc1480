#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension PageChecksums {
    /// Writes the checksum of each page of a file that nobody has open. Does nothing for a file without checksums.
    ///
    /// - Throws: ``BackupError`` if there is a log, whose pages are newer than the file's, or if the disk fails.
    static func rewrite(_ path: String) throws(BackupError) {
        var status = stat()
        if stat(path + "-wal", &status) == 0, status.st_size > 0 { throw .hasLog(path: path) }
        let file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw .system(call: "open", path: path, errno: errno) }
        defer { close(file) }
        var page = [UInt8](repeating: 0, count: 512)
        guard pread(file, &page, page.count, 0) == page.count else { return }
        // fileformat2.html §1.3: 1 stands for 65,536 bytes.
        let bytes = (Int(page[16]) << 8 | Int(page[17])) == 1 ? 65_536 : Int(page[16]) << 8 | Int(page[17])
        guard page[20] == UInt8(PageChecksum.bytes), bytes >= 512, bytes & (bytes - 1) == 0 else { return }
        page = [UInt8](repeating: 0, count: bytes)
        var number: Int64 = 1
        var place = 0
        while pread(file, &page, bytes, place) == bytes {
            // The file may be longer than its pages (``DatabaseReserve``).
            if page.contains(where: { $0 != 0 }) {
                page.withUnsafeMutableBytes { PageChecksum.write(to: $0, number: number) }
                guard pwrite(file, page, bytes, place) == bytes else {
                    throw .system(call: "write", path: path, errno: errno)
                }
            }
            (number, place) = (number + 1, place + bytes)
        }
        guard fsync(file) == 0 else { throw .system(call: "fsync", path: path, errno: errno) }
    }
}
