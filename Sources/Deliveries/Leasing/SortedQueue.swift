/// Elements in order, taken from the front. Adding one that comes first or last, as nearly all do, costs nearly
/// nothing. Taking one is O(1) amortised.
package struct SortedQueue<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    package init() {}

    package var isEmpty: Bool { head == elements.count }
    package var count: Int { elements.count - head }
    package var first: Element? { isEmpty ? nil : elements[head] }

    package mutating func insert(_ element: Element) {
        guard let last = elements.last, !isEmpty, element < last else { return elements.append(element) }
        var (low, high) = (head, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle] < element { low = middle + 1 } else { high = middle }
        }
        // The shorter part moves, if there is a free place at the front.
        guard head > 0, low - head < elements.count - low else { return elements.insert(element, at: low) }
        head -= 1
        for place in head..<(low - 1) { elements[place] = elements[place + 1] }
        elements[low - 1] = element
    }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            head += 1
            // The taken half is removed in one step, so that each element is moved once at most.
            if head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }
}
