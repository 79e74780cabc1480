import JSON

/// JSON for people: a value that fits into a line takes one line, any other takes a line for each member.
struct PrettyJSON {
    let width: Int
    private(set) var text = ""

    init(_ value: JSONValue, width: Int = 100) {
        self.width = width
        write(value, indent: "", lead: 0)
    }

    /// - Parameter lead: the number of characters before the value in its line.
    private mutating func write(_ value: JSONValue, indent: String, lead: Int) {
        let line = Self.line(value)
        if lead + line.count <= width {
            text += line
            return
        }
        switch value {
        case .array(let elements):
            write("[", "]", elements, indent: indent) { pretty, element, inner in
                pretty.write(element, indent: inner, lead: inner.count)
            }
        case .object(let object):
            write("{", "}", object.members, indent: indent) { pretty, member, inner in
                let key = Self.line(.string(member.key)) + ": "
                pretty.text += key
                pretty.write(member.value, indent: inner, lead: inner.count + key.count)
            }
        case .null, .bool, .int, .double, .number, .string: text += line
        }
    }

    private mutating func write<Element>(
        _ open: String, _ close: String, _ elements: [Element], indent: String,
        each: (inout PrettyJSON, Element, String) -> Void
    ) {
        let inner = indent + "  "
        text += open
        for (place, element) in elements.enumerated() {
            text += (place == 0 ? "\n" : ",\n") + inner
            each(&self, element, inner)
        }
        text += "\n" + indent + close
    }

    /// The whole value on one line.
    private static func line(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        case .object(let object):
            "{" + object.members.map { line(.string($0.key)) + ": " + line($0.value) }.joined(separator: ", ") + "}"
        case .null, .bool, .int, .double, .number, .string: String(decoding: value.encoded, as: UTF8.self)
        }
    }
}
