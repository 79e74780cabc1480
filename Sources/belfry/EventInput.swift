import JSON

/// Takes events apart as a file or a pipe delivers them: an event a line, or one JSON document.
///
/// The first line decides: a whole object there begins a list of lines, anything else a document. So a pipe is
/// published while it flows, and a file may be indented.
struct EventInput {
    /// What can be sent now.
    enum Portion: Equatable {
        /// Newline-delimited JSON.
        case lines([UInt8])
        /// One JSON document: an event or an array of events.
        case document([UInt8])

        /// How many events it holds; what cannot be read counts as one, as which it is answered.
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

    /// Few enough to be answered soon, many enough to share a commit.
    private static let linesAPortion = 500

    private var form = Form.undecided
    private var pending: [UInt8] = []

    /// Adds bytes as they come; returns the lines that they complete, none while a document lasts.
    mutating func append(_ bytes: some Collection<UInt8>) -> [Portion] {
        pending.append(contentsOf: bytes)
        guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        decide()
        guard form == .lines else { return [] }
        let complete = pending[...end]
        pending.removeFirst(complete.count)
        return Self.portions(of: complete)
    }

    /// What is left when nothing more comes.
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
        // A line that is no JSON may well begin a document: what is wrong with that, the server tells.
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
