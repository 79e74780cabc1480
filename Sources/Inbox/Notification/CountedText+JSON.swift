package import JSON

extension CountedText {
    /// Writes the stored form: `["", " people upvoted your post"]`, or an array for each form beside the language that
    /// chooses the form: `{"locale":"en","one":["an upvote"],"other":["", " upvotes"]}`. If the number counts people,
    /// `"of":"people"` is added.
    func write(to json: inout JSONWriter) {
        if locale.isEmpty, !isOfPeople, let only = forms.first { return Self.write(only.pieces, to: &json) }
        json.object { json in
            json.member("locale", locale)
            if isOfPeople { json.member("of", Self.people) }
            for form in forms {
                json.key(dynamic: form.category.rawValue)
                Self.write(form.pieces, to: &json)
            }
        }
    }

    private static let people = "people"

    private static func write(_ pieces: [String], to json: inout JSONWriter) {
        json.array { json in
            for piece in pieces { json.value(piece) }
        }
    }

    /// The form that ``init(json:)`` reads.
    package var encoded: [UInt8] {
        var json = JSONWriter(capacity: 128)
        write(to: &json)
        return json.bytes
    }

    /// Reads the form of ``encoded``; nil for anything else.
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
        self.init(locale: locale, forms: forms, isOfPeople: object["of"]?.string == Self.people)
    }
}
