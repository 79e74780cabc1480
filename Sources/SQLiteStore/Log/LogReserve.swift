/// Keeps the file of the write-ahead log longer than its content.
///
/// A commit that makes the file longer makes the file system write down the length, too. For ext4 that is a commit of
/// its own journal, which takes as long again, and many times as long on a busy disk. So the file grows by zeros, many
/// commits' worth at a time, and a commit overwrites existing bytes. For SQLite the log ends where a frame's salts are
/// not the header's (fileformat2.html §4.1), and no frame is of page 0.
struct LogReserve {
    static let stepBytes: Int64 = 1 << 20

    /// The file's length as far as it is known here. If another process has changed it, commits take longer until it
    /// fits again.
    private var fileBytes: Int64?
    private var isRefused = false

    /// Notes that a write of the transaction's newest frames has reached `end`, in bytes.
    ///
    /// No valid frame lies behind it: there is one writer at a time (wal.html §2.2), and an older frame that is written
    /// again lies before the newest ones.
    ///
    /// - Parameters:
    ///   - measured: the file's length after that write; nil if unknown.
    ///   - most: the length that the file may get.
    /// - Returns: the range to fill with zeros now; the caller reports the result. Nil while there is enough.
    mutating func wrote(to end: Int64, measured: () -> Int64?, most: () -> Int64) -> Range<Int64>? {
        if let fileBytes, end <= fileBytes { return nil }
        let isFirst = fileBytes == nil
        fileBytes = isFirst ? measured() : end
        guard !isRefused, fileBytes == end else { return nil }
        let target = min(end + Self.stepBytes, most())
        return target > end ? end..<target : nil
    }

    /// Notes that the file now has so many bytes.
    mutating func reaches(_ bytes: Int64) {
        fileBytes = bytes
        isRefused = false
    }

    /// Notes that the zeros could not be written. They are tried again once the file has been shortened.
    mutating func refused() { isRefused = true }
}
