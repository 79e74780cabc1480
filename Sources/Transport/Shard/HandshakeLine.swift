/// Who waits to go on with a TLS handshake: a few steps a turn, so that a herd of newcomers does not hold up those who
/// are connected already.
///
/// A step costs up to 0.3 ms with a P-256 key, 0.7 with RSA.
struct HandshakeLine<Element> {
    /// How long a turn lasts at most is how late a message may be: 1.2 ms, or 2.8.
    static var stepsPerTurn: Int { 4 }

    /// Those that have begun take 60 KB each, and those who have not hardly anything.
    private var begun = WaitingLine<Element>()
    private var fresh = WaitingLine<Element>()

    var count: Int { begun.count + fresh.count }

    mutating func append(_ element: Element, hasBegun: Bool) {
        if hasBegun { begun.append(element) } else { fresh.append(element) }
    }

    /// Whose turn it is for a turn's step of that number: those that have begun first, but for one newcomer, or few
    /// would begin while many are at it.
    mutating func next(step: Int) -> Element? {
        if step == 0, let newcomer = fresh.removeFirst() { return newcomer }
        return begun.removeFirst() ?? fresh.removeFirst()
    }
}
