package import JSON

extension CountedText {
    /// The form in which a store keeps it: `["", " people upvoted your post"]`, or one such array for each form with
    /// the language that chooses: `{"locale":"en","one":["somebody upvoted"],"other":["", " people upvoted"]}`.
    package var json: JSONValue {
        func array(_ pieces: [String]) -> JSONValue { .array(pieces.map { .string($0) }) }
        let entries = entries
        if locale.isEmpty, let only = entries.first { return array(only.pieces) }
        var object: JSONObject = ["locale": .string(locale)]
        for entry in entries { object[entry.category.rawValue] = array(entry.pieces) }
        return .object(object)
    }

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: JSONValue) {
        func pieces(_ value: JSONValue) -> [String]? {
            guard let elements = value.array else { return nil }
            let pieces = elements.compactMap(\.string)
            return pieces.isEmpty || pieces.count < elements.count ? nil : pieces
        }
        if let pieces = pieces(json) {
            self.init(pieces: pieces)
            return
        }
        guard let object = json.object, let locale = object["locale"]?.string else { return nil }
        var forms: [PluralCategory: [String]] = [:]
        for category in PluralCategory.allCases { forms[category] = object[category.rawValue].flatMap(pieces) }
        guard forms[.other] != nil else { return nil }
        self.init(locale: locale, forms: forms)
    }
}
