/// Elements in their order, taken from the front. What comes first or last in the order, as nearly everything does,
/// costs nearly nothing to add; taking is O(1) amortised.
struct SortedQueue<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func insert(_ element: Element) {
        guard let last = elements.last, !isEmpty, element < last else { return elements.append(element) }
        var (low, high) = (head, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle] < element { low = middle + 1 } else { high = middle }
        }
        // The shorter part makes room, if one was taken where it moves to.
        guard head > 0, low - head < elements.count - low else { return elements.insert(element, at: low) }
        head -= 1
        for place in head..<(low - 1) { elements[place] = elements[place + 1] }
        elements[low - 1] = element
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            head += 1
            // The taken half goes in one step, so that each element is moved once at most.
            if head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }
}
