package import Foundation

/// Orders and replies as lines.
package enum WorkerLine {
    /// Includes the line's end.
    package static func encode(_ value: some Encodable) throws -> Data {
        var line = try JSONEncoder().encode(value)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from line: some StringProtocol) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line.utf8))
    }
}
