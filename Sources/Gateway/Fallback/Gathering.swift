import Synchronization

/// Values from many threads for one queue: a crowd of them costs that queue one turn instead of one each.
final class Gathering<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// - Returns: whether the caller must see that they are taken: it is the first since they last were.
    func add(_ element: Element) -> Bool {
        elements.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
    }

    /// Takes all in the order in which they were added.
    ///
    /// - Parameter list: empty; its memory serves the next ones.
    func takeAll(into list: inout [Element]) { elements.withLock { swap(&$0, &list) } }
}
