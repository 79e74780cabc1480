import JSON

/// The notifications that a frame is about.
package enum LiveSelection: Sendable, Hashable {
    case ids([String])
    /// All notifications up to this `seq`; later ones stay as they are.
    case upTo(Int64)

    func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .ids(let ids): json.member("ids", .array(ids.map(JSONValue.string)))
        case .upTo(let seq): json.member("upTo", seq)
        }
    }
}
