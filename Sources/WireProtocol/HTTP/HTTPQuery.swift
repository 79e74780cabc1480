/// The query of a request's target, decoded as a form (`application/x-www-form-urlencoded`), in its order.
package struct HTTPQuery: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    package let items: [Item]

    package init(_ items: [Item] = []) { self.items = items }

    /// Reads what stands behind the `?`; nil if an escape is broken or it is not UTF-8.
    init?(parsing query: some Collection<UInt8>) {
        var items: [Item] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = PercentEncoding.decode(pair[..<equals], plusIsSpace: true),
                let value = PercentEncoding.decode(pair[equals...].dropFirst(), plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.init(items)
    }

    /// The first value of that name; nil also for an empty one, with which forms say that nothing was chosen, and for
    /// an item without `=`.
    package subscript(name: String) -> String? {
        items.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// Every value of that name, empty ones too: for calls that would do more than was meant if one were left out.
    package func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
