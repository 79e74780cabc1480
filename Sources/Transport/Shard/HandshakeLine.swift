/// The connections that wait to continue a TLS handshake: a few steps a turn, so that many new clients do not delay the
/// connected ones.
///
/// A step costs up to 0.3 ms with a P-256 key, 0.7 ms with RSA.
struct HandshakeLine<Element> {
    /// The steps of a turn delay a message by their total time: 1.2 ms, or 2.8 ms with RSA.
    static var stepsPerTurn: Int { 4 }

    /// Handshakes that have begun take 60 KB each; those that have not take almost nothing.
    private var begun = WaitingLine<Element>()
    private var fresh = WaitingLine<Element>()

    var count: Int { begun.count + fresh.count }

    mutating func append(_ element: Element, hasBegun: Bool) {
        if hasBegun { begun.append(element) } else { fresh.append(element) }
    }

    /// The connection for the step of this number in a turn. Handshakes that have begun come first, except that step 0
    /// is for a new one: otherwise few would begin while many are under way.
    mutating func next(step: Int) -> Element? {
        if step == 0, let newcomer = fresh.removeFirst() { return newcomer }
        return begun.removeFirst() ?? fresh.removeFirst()
    }
}
