import JSON

/// Reads an event stream as the HTML Standard says (section 9.2.6, "Interpreting an event stream"), line by line.
enum PlainEventStreamReader {
    struct Event {
        let name: String
        /// Nil for data that are no JSON.
        let data: JSONValue?
        let lastID: String
    }

    static func events(in stream: [UInt8]) -> [Event] {
        var (events, data, name, lastID): ([Event], [String], String, String) = ([], [], "", "")
        for line in lines(of: stream) {
            guard !line.isEmpty else {
                if !data.isEmpty {
                    let text = Array(data.joined(separator: "\n").utf8)
                    events.append(
                        Event(
                            name: name.isEmpty ? "message" : name,
                            data: text.withOwnMemory { try? JSONValue(parsing: $0) }, lastID: lastID))
                }
                (data, name) = ([], "")
                continue
            }
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : []
            if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
            let text = String(decoding: value, as: UTF8.self)
            switch String(decoding: parts[0], as: UTF8.self) {
            case "data": data.append(text)
            case "event": name = text
            case "id" where !text.utf8.contains(0): lastID = text
            default: break
            }
        }
        return events
    }

    /// Lines end with CR LF, CR or LF. A last line without an end counts for nothing.
    private static func lines(of stream: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = stream[...]
        while let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) {
            lines.append(rest[..<end])
            let isPair = rest[end] == 13 && end + 1 < rest.endIndex && rest[end + 1] == 10
            rest = rest[(end + (isPair ? 2 : 1))...]
        }
        return lines
    }
}
