/// Which statements a session has prepared, and under which names.
struct PreparedStatements {
    /// A session keeps a plan of each. Beyond, statements are parsed each time: their texts are not as few as they
    /// should be.
    static let limit = 500

    struct Entry: Hashable {
        let name: String
        let types: [UInt32]
    }

    enum Place: Hashable {
        case prepared(String)
        /// It has to be prepared under this name.
        case new(String)
        case unnamed
    }

    private var entries: [String: Entry] = [:]
    private var made = 0

    /// Where a statement with parameters of these types is; counts it as prepared.
    mutating func place(of text: String, _ types: [UInt32]) -> Place {
        // The same text with other types is another statement.
        if let entry = entries[text], entry.types == types { return .prepared(entry.name) }
        guard made < Self.limit else { return .unnamed }
        made += 1
        let name = "b\(made)"
        entries[text] = Entry(name: name, types: types)
        return .new(name)
    }

    /// It was not prepared after all, or its plan is of no use any more.
    mutating func forget(_ text: String) { entries[text] = nil }
}
