package import JSON

/// The claims of a verified token that feed rules name; no other claims are kept.
package struct FeedClaims: Sendable, Hashable {
    private let texts: [String: [ExactText]]

    /// For a token without such claims.
    package init() { texts = [:] }

    /// - Parameters:
    ///   - claims: all claims of the token.
    ///   - names: the claims to keep; a dotted path if no claim has the whole name.
    package init(_ claims: JSONObject, named names: some Sequence<String>) {
        let pairs = names.map { name in (name, Self.texts(in: Self.value(name, of: claims))) }
        texts = Dictionary(pairs.filter { !$1.isEmpty }) { first, _ in first }
    }

    func contains(_ text: String, in claim: String) -> Bool { texts[claim]?.contains(ExactText(text)) ?? false }

    private static func value(_ name: String, of claims: JSONObject) -> JSONValue? {
        claims[name] ?? JSONValue.object(claims).at(name.split(separator: ".").map(String.init))
    }

    /// A text or a whole number, or a list of them.
    private static func texts(in value: JSONValue?) -> [ExactText] {
        switch value {
        case .string(let text): [ExactText(text)]
        case .int, .double, .number: value?.wholeText.map { [ExactText($0)] } ?? []
        case .array(let elements): elements.flatMap { $0.array == nil ? texts(in: $0) : [] }
        case nil, .null, .bool, .object: []
        }
    }
}
