import JSON

/// Which notifications a frame is about.
package enum LiveSelection: Sendable, Hashable {
    case ids([String])
    /// All up to this `seq`, so that what arrives meanwhile stays as it is.
    case upTo(Int64)

    func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .ids(let ids): json.member("ids", .array(ids.map(JSONValue.string)))
        case .upTo(let seq): json.member("upTo", seq)
        }
    }
}
