import Inbox

/// Takes what ``Commit/bytes`` has written from the front of bytes. It reads nothing behind them, and makes room for
/// nothing that is not there.
struct CommitReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    private func sound<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw DamagedCommit() }
        return value
    }

    mutating func flag() throws -> Bool {
        let byte = try sound(rest.popFirst())
        guard byte <= 1 else { throw DamagedCommit() }
        return byte == 1
    }

    mutating func number() throws -> Int64 { try sound(rest.takeSignedVarint()) }
    mutating func time() throws -> Timestamp { Timestamp(milliseconds: try number()) }
    mutating func bytes() throws -> [UInt8] { Array(try sound(rest.takeBytes())) }
    mutating func text() throws -> String { try sound(String(validating: sound(rest.takeBytes()), as: UTF8.self)) }
    mutating func user() throws -> UserID { try sound(UserID(key: text())) }

    /// - Parameter contents: those that changes refer to.
    mutating func change(_ contents: [Content]) throws -> InboxChange {
        try sound(rest.takeChange { place in Int(exactly: place).flatMap { $0 < contents.count ? contents[$0] : nil } })
            .0
    }

    mutating func optional<Value>(_ read: (inout Self) throws -> Value) throws -> Value? {
        try flag() ? read(&self) : nil
    }

    mutating func list<Element>(_ read: (inout Self) throws -> Element) throws -> [Element] {
        var elements: [Element] = []
        // No element is empty, so a wrong count ends with the bytes.
        for _ in 0..<(try sound(rest.takeVarint())) { elements.append(try read(&self)) }
        return elements
    }
}
