/// Decides when freed memory is returned to the system.
///
/// malloc keeps freed memory that lies between pieces in use: 130 MB after 5,000 TLS handshakes at once. The search for
/// it takes milliseconds, in which allocations wait. It is therefore done once for many endings, and late enough that
/// all of them are over.
struct HeapTrimRule {
    static let delay = Duration.seconds(30)
    private static let endingsPerTrim = 1_000

    private var endings = 0
    private var isPlanned = false

    /// Counts the end of a connection or a handshake.
    ///
    /// - Returns: whether to trim after ``delay``; then ``trimmed()`` must be called.
    mutating func ended() -> Bool {
        endings += 1
        guard !isPlanned, endings >= Self.endingsPerTrim else { return false }
        isPlanned = true
        return true
    }

    mutating func trimmed() {
        endings = 0
        isPlanned = false
    }
}
