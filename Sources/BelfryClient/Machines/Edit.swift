/// The effect of a change on rows: of a frame of the server, or of a command under way.
enum Edit {
    /// The rows that a change is about.
    enum Selection {
        case ids(Set<String>)
        case upTo(Int64)

        func contains(_ row: InboxNotification) -> Bool {
            switch self {
            case .ids(let ids): ids.contains(row.id)
            case .upTo(let seq): row.seq <= seq
            }
        }
    }

    case replace(InboxNotification)
    case read(Selection)
    case seen(Selection)
    case remove(Selection)

    /// Nil for a frame that changes no existing rows.
    init?(_ frame: ServerFrame) {
        if let row = frame.notification {
            self = .replace(row)
            return
        }
        let selection: Selection
        if let ids = frame["ids"]?.array {
            selection = .ids(Set(ids.compactMap(\.string)))
        } else if let seq = frame["upTo"]?.integer {
            selection = .upTo(seq)
        } else {
            return nil
        }
        switch frame.type {
        case "read": self = .read(selection)
        case "seen": self = .seen(selection)
        case "removed": self = .remove(selection)
        default: return nil
        }
    }

    func apply(to rows: inout [InboxNotification]) {
        switch self {
        case .replace(let row):
            for index in rows.indices where rows[index].id == row.id && rows[index].rev <= row.rev { rows[index] = row }
        case .read(let selection):
            for index in rows.indices where !rows[index].isRead && selection.contains(rows[index]) {
                rows[index].isRead = true
                rows[index].isSeen = true
            }
        case .seen(let selection):
            for index in rows.indices where !rows[index].isSeen && selection.contains(rows[index]) {
                rows[index].isSeen = true
            }
        case .remove(let selection):
            rows.removeAll(where: selection.contains)
        }
    }
}

/// A command without an answer yet; its effect is shown already, unless it is an answer to a question.
package struct Command {
    package enum Kind: String { case read, seen, remove, answer }

    let id: String
    let kind: Kind
    let selection: Edit.Selection
    /// In the app's order, which the set above does not keep.
    let ids: [String]
    /// The chosen action of an answer.
    var action: String?

    /// Nil for an answer: somebody else's may stand already, so that only the server knows.
    var edit: Edit? {
        switch kind {
        case .read: .read(selection)
        case .seen: .seen(selection)
        case .remove: .remove(selection)
        case .answer: nil
        }
    }

    /// Whether the command is also about rows that are not loaded.
    var meansAll: Bool {
        if case .upTo(let seq) = selection { seq >= 0 } else { false }
    }

    var frame: ClientFrame {
        var members: [String: JSONValue] = ["id": .string(id)]
        switch selection {
        case .ids where kind == .answer:
            members["notification"] = ids.first.map(JSONValue.string)
            members["action"] = action.map(JSONValue.string)
        case .ids: members["ids"] = .array(ids.map(JSONValue.string))
        case .upTo(let seq): members["upTo"] = .integer(seq)
        }
        return ClientFrame(type: kind.rawValue, members: members)
    }
}
