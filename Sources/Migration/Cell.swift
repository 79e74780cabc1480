/// A column's value, as both engines can tell it.
package enum Cell: Hashable, Sendable {
    case null
    /// A number, a time in milliseconds, or 0 and 1.
    case number(Int64)
    /// A text in UTF-8, or bytes.
    case octets([UInt8])
}

extension [Cell] {
    private static let null: UInt8 = 0
    private static let number: UInt8 = 1
    private static let octets: UInt8 = 2

    /// The cells one after the other, for the table that notes how far a migration is.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for cell in self {
            switch cell {
            case .null: bytes.append(Self.null)
            case .number(let number):
                bytes.append(Self.number)
                Self.append(number, to: &bytes)
            case .octets(let octets):
                bytes.append(Self.octets)
                Self.append(Int64(octets.count), to: &bytes)
                bytes += octets
            }
        }
        return bytes
    }

    /// Reads ``encoded``; nil for anything else.
    package init?(encoded bytes: [UInt8]) {
        var (cells, rest): ([Cell], ArraySlice<UInt8>) = ([], bytes[...])
        while let tag = rest.popFirst() {
            switch tag {
            case Self.null: cells.append(.null)
            case Self.number:
                guard let number = Self.takeNumber(&rest) else { return nil }
                cells.append(.number(number))
            case Self.octets:
                guard let count = Self.takeNumber(&rest), 0...Int64(rest.count) ~= count else { return nil }
                cells.append(.octets([UInt8](rest.prefix(Int(count)))))
                rest = rest.dropFirst(Int(count))
            default: return nil
            }
        }
        self = cells
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        Swift.withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return Int64(bitPattern: rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
