/// How far the file of the write-ahead log reaches beyond what is in it.
///
/// With a commit that makes the file longer the file system has to write down its length, too: for ext4 a commit of its
/// own journal, which takes as long again, and many times as long where others write to the same disk. So the file
/// grows by zeros, many commits' worth at a time, and a commit goes to bytes that are there. For SQLite the log ends
/// where a frame's salts are not the header's (fileformat2.html §4.1), and no frame is of page 0.
struct LogReserve {
    static let stepBytes: Int64 = 1 << 20

    /// The file's length as far as it is known here. Somebody else may have changed it: then commits take longer until
    /// it fits again.
    private var fileBytes: Int64?
    private var isRefused = false

    /// Takes in that a write of the transaction's newest frames has reached `end`, in bytes.
    ///
    /// Nothing that counts lies behind it: there is one writer at a time (wal.html §2.2), and an older frame that is
    /// written once more lies before the newest ones.
    ///
    /// - Parameters:
    ///   - measured: the file's length with that write; nil if it cannot be told.
    ///   - most: the length that the file may be brought to.
    /// - Returns: what to fill with zeros now; what becomes of it is to be told. Nil as long as there is enough.
    mutating func wrote(to end: Int64, measured: () -> Int64?, most: () -> Int64) -> Range<Int64>? {
        if let fileBytes, end <= fileBytes { return nil }
        let isFirst = fileBytes == nil
        fileBytes = isFirst ? measured() : end
        guard !isRefused, fileBytes == end else { return nil }
        let target = min(end + Self.stepBytes, most())
        return target > end ? end..<target : nil
    }

    /// Takes in that the file has so many bytes now.
    mutating func reaches(_ bytes: Int64) {
        fileBytes = bytes
        isRefused = false
    }

    /// Takes in that the zeros could not be written. They are not tried again before the file has been shortened.
    mutating func refused() { isRefused = true }
}
