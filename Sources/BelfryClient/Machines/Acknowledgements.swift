/// Tells the server which changes are on screen, so that it sends no push for them. The client acknowledges only while
/// somebody looks.
///
/// A pure machine.
struct Acknowledgements {
    /// The time in which acknowledgements are joined, in milliseconds.
    static let folding: Int64 = 200

    private var shown: Int64 = 0
    private var told: Int64 = 0
    private var isFolding = false

    /// All changes up to `seq` are on screen, if somebody looks.
    ///
    /// - Returns: whether to call ``expire(isLooking:)`` after ``folding``.
    mutating func show(_ seq: Int64, isLooking: Bool) -> Bool {
        shown = seq
        guard isLooking, !isFolding, shown > told else { return false }
        isFolding = true
        return true
    }

    /// - Returns: the change up to which to acknowledge; nil for none.
    mutating func expire(isLooking: Bool) -> Int64? {
        isFolding = false
        guard isLooking, shown > told else { return nil }
        told = shown
        return shown
    }

    /// Starts over on another connection: the last acknowledgement may be lost, and another epoch counts from the
    /// start.
    mutating func again() { told = 0 }
}
