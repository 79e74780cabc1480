/// Which form of a text fits a number (Unicode CLDR, plural rules): "a photo" is `one` in English, "20 photos" `other`.
package enum PluralCategory: String, Sendable, Hashable, CaseIterable {
    case zero, one, two, few, many, other
}
