import Synchronization

/// What many threads have to tell one queue, so that a crowd of it costs one turn of that queue and not one each.
final class Gathering<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// - Returns: whether the caller must see to it that they are taken: it is the first one since they last were.
    func add(_ element: Element) -> Bool {
        elements.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
    }

    /// Takes them in the order in which they were added.
    ///
    /// - Parameter list: empty; gives its memory for those to come.
    func takeAll(into list: inout [Element]) { elements.withLock { swap(&$0, &list) } }
}
