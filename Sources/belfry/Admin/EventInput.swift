import JSON

/// Splits the input of a file or a pipe into events: one event a line, or one JSON document.
///
/// The first line decides: if it is a complete object, the input is a list of lines, else a document. A pipe can thus
/// be published while it flows, and a file may be indented.
struct EventInput {
    /// A part that can be sent now.
    enum Portion: Equatable {
        /// Newline-delimited JSON.
        case lines([UInt8])
        /// One JSON document: an event or an array of events.
        case document([UInt8])

        /// The number of events; an unreadable document counts as one, because it gets one answer.
        var count: Int {
            switch self {
            case .lines(let bytes): EventInput.lines(of: bytes[...]).count
            case .document(let bytes): (try? JSONValue(parsing: bytes))?.array?.count ?? 1
            }
        }
    }

    private enum Form {
        case undecided, lines, document
    }

    /// Few enough for a quick answer, many enough to share a commit.
    private static let linesAPortion = 500

    private var form = Form.undecided
    private var pending: [UInt8] = []

    /// Adds received bytes; returns the complete lines, none while a document lasts.
    mutating func append(_ bytes: some Collection<UInt8>) -> [Portion] {
        pending.append(contentsOf: bytes)
        guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        decide()
        guard form == .lines else { return [] }
        let complete = pending[...end]
        pending.removeFirst(complete.count)
        return Self.portions(of: complete)
    }

    /// The rest at the end of the input.
    mutating func finish() -> [Portion] {
        decide()
        switch form {
        case .undecided: return []
        case .lines: return Self.portions(of: pending[...])
        case .document: return [.document(pending)]
        }
    }

    private mutating func decide() {
        guard form == .undecided, let first = Self.lines(of: pending[...]).first else { return }
        // A line that is no JSON may begin a document; the server reports its mistakes.
        form = (try? JSONValue(parsing: Array(first)))?.object == nil ? .document : .lines
    }

    private static func portions(of bytes: ArraySlice<UInt8>) -> [Portion] {
        let lines = lines(of: bytes)
        return stride(from: 0, to: lines.count, by: linesAPortion).map { start in
            .lines(Array(lines[start...].prefix(linesAPortion).joined(separator: [UInt8(ascii: "\n")])))
        }
    }

    /// The lines that are not blank.
    private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n")).filter { line in
            line.contains { ![UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }
        }
    }
}
