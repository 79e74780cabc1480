import JSON

/// Choices that the bytes of an input make, for targets that build their input by rules. Once the bytes are used up,
/// each choice is the first one, so that every input has an end.
struct Choices {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number from 0 up to `bound`, which is 256 at most and not among them.
    mutating func number(below bound: Int) -> Int { Int(byte()) % bound }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

    /// True once in `count` times.
    mutating func isOne(in count: Int) -> Bool { number(below: count) == count - 1 }

    /// Up to `count` bytes as they are.
    mutating func bytes(upTo count: Int) -> [UInt8] {
        let taken = rest.prefix(number(below: count + 1))
        rest = rest.dropFirst(taken.count)
        return Array(taken)
    }

    /// One of the texts, or now and then bytes as they are.
    mutating func text(_ texts: [String]) -> String {
        isOne(in: 8) ? String(decoding: bytes(upTo: 12), as: UTF8.self) : pick(texts)
    }

    /// A value of JSON, whose members and texts are mostly these.
    mutating func json(members: [String], texts: [String], depth: Int = 3) -> JSONValue {
        switch number(below: depth > 0 ? 12 : 7) {
        case 0, 1, 2: return .string(text(texts))
        case 3: return .int(pick([0, 1, -1, 7, 60, 1_764_000_000, 1_764_000_000_000, .max, .min]))
        case 4: return .bool(isOne(in: 2))
        case 5: return .null
        case 6: return .double(pick([0.5, -1.5, 1e300, 1.7e9]))
        case 7, 8:
            return .array((0..<number(below: 4)).map { _ in json(members: members, texts: texts, depth: depth - 1) })
        default:
            var object: JSONObject = [:]
            for _ in 0..<number(below: 5) {
                object[text(members)] = json(members: members, texts: texts, depth: depth - 1)
            }
            return .object(object)
        }
    }

    /// The bytes, mostly as they are: else with a few of them changed, left out or put in.
    mutating func broken(_ bytes: [UInt8]) -> [UInt8] {
        guard isOne(in: 3) else { return bytes }
        var bytes = bytes
        for _ in 0...number(below: 3) {
            guard !bytes.isEmpty else { break }
            let place = (number(below: 256) << 8 | number(below: 256)) % bytes.count
            switch number(below: 4) {
            case 0: bytes[place] ^= 1 << byte() % 8
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(byte(), at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + number(below: 16)))
            }
        }
        return bytes
    }
}
