/// The form of a text that fits a number (Unicode CLDR, plural rules): in English `one` is "a photo", `other` "20
/// photos".
package enum PluralCategory: String, Sendable, Hashable, CaseIterable {
    case zero, one, two, few, many, other
}
