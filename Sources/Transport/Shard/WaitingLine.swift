/// A queue in order of arrival. Uses no heap while empty.
struct WaitingLine<Element> {
    /// The number of empty places from which the others move up.
    private static var gapBeforeMoving: Int { 64 }

    private var elements: [Element?] = []
    private var taken = 0

    var count: Int { elements.count - taken }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() -> Element? {
        guard count > 0 else { return nil }
        let first = elements[taken]
        elements[taken] = nil
        taken += 1
        if count == 0 {
            elements = []
            taken = 0
        } else if taken >= Self.gapBeforeMoving, taken * 2 >= elements.count {
            elements.removeFirst(taken)
            taken = 0
        }
        return first
    }
}
