/// Tells the server what is on screen, so that no push goes out for it. Only a client that somebody looks at
/// acknowledges.
///
/// A pure machine.
struct Acknowledgements {
    /// Acknowledgements of so many milliseconds become one.
    static let folding: Int64 = 200

    private var shown: Int64 = 0
    private var told: Int64 = 0
    private var isFolding = false

    /// Everything up to `seq` is on screen, if somebody looks.
    ///
    /// - Returns: whether ``expire(isLooking:)`` is to be called after ``folding``.
    mutating func show(_ seq: Int64, isLooking: Bool) -> Bool {
        shown = seq
        guard isLooking, !isFolding, shown > told else { return false }
        isFolding = true
        return true
    }

    /// - Returns: up to where to acknowledge; nil if there is nothing to say.
    mutating func expire(isLooking: Bool) -> Int64? {
        isFolding = false
        guard isLooking, shown > told else { return nil }
        told = shown
        return shown
    }

    /// On another connection: what was told last may not have been heard, and another epoch counts anew.
    mutating func again() { told = 0 }
}
