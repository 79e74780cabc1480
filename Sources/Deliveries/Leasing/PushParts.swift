/// The notifications that one push stands for, in order; at least one. Mostly there is only one, which takes no memory
/// of its own.
package struct PushParts: Sendable, Hashable {
    private let head: Int64
    private let others: [Int64]

    package init(_ head: Int64, and others: [Int64] = []) {
        self.head = head
        self.others = others
    }
}

extension PushParts: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { 1 + others.count }
    package subscript(index: Int) -> Int64 { index == 0 ? head : others[index - 1] }
}

extension PushParts: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Int64...) { self.init(elements[0], and: Array(elements.dropFirst())) }
}
