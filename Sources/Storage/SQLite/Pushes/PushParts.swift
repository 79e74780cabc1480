/// The notifications that one push stands for, in their order; at least one. Mostly there is no other, and that one
/// takes no memory of its own.
struct PushParts: Sendable, Hashable {
    private let head: Int64
    private let others: [Int64]

    init(_ head: Int64, and others: [Int64] = []) {
        self.head = head
        self.others = others
    }
}

extension PushParts: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { 1 + others.count }
    subscript(index: Int) -> Int64 { index == 0 ? head : others[index - 1] }
}

extension PushParts: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: Int64...) { self.init(elements[0], and: Array(elements.dropFirst())) }
}
