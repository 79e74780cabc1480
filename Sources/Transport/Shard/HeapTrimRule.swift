/// When freed memory is to be given back to the system.
///
/// malloc keeps what lies between pieces that are in use: 130 MB after 5,000 TLS handshakes at once. Looking for it
/// costs milliseconds in which others wait for memory, so it is done once for many, and late enough for all of them to
/// be over.
struct HeapTrimRule {
    static let delay = Duration.seconds(30)
    private static let endingsPerTrim = 1_000

    private var endings = 0
    private var isPlanned = false

    /// A connection or a handshake has ended.
    ///
    /// - Returns: whether to trim after ``delay``; then ``trimmed()`` is to be called.
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
