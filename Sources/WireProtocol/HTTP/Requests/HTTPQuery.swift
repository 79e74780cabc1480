/// The query of a request's target, decoded as a form (`application/x-www-form-urlencoded`), in its order.
package struct HTTPQuery: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package let items: [Item]

    package init(_ items: [Item] = []) { self.items = items }

    /// Reads the text behind the `?`; nil for a broken escape or invalid UTF-8.
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

    /// The first value of this name. Nil for an empty value, which forms send for no choice, and for an item without
    /// `=`.
    package subscript(name: String) -> String? {
        items.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// All values of this name, including empty ones, for calls where a left-out value would widen the effect.
    package func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
