/// What a change does to rows: a frame of the server, or a command that is under way.
enum Edit {
    /// Which rows are meant.
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

    /// Nil for a frame that changes no rows that are there.
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

/// A command whose answer has not come: what it does is shown already.
struct Command {
    enum Kind: String { case read, seen, remove }

    let id: String
    let kind: Kind
    let selection: Edit.Selection
    /// In the app's order, as the set above has none.
    let ids: [String]

    var edit: Edit {
        switch kind {
        case .read: .read(selection)
        case .seen: .seen(selection)
        case .remove: .remove(selection)
        }
    }

    /// Whether it is about rows that may not be loaded.
    var meansAll: Bool {
        if case .upTo(let seq) = selection { seq >= 0 } else { false }
    }

    var frame: ClientFrame {
        var members: [String: JSONValue] = ["id": .string(id)]
        switch selection {
        case .ids: members["ids"] = .array(ids.map(JSONValue.string))
        case .upTo(let seq): members["upTo"] = .integer(seq)
        }
        return ClientFrame(type: kind.rawValue, members: members)
    }
}
