/// The reader of a text: its wording and its times depend on these values.
package struct Reader: Sendable, Hashable {
    /// A language tag (BCP 47) such as `pt-BR`; nil for the catalog's own language.
    package var locale: String?
    /// An IANA zone such as `Europe/Berlin`; nil for the catalog's own zone.
    package var zone: String?

    package init(locale: String? = nil, zone: String? = nil) {
        self.locale = locale
        self.zone = zone
    }
}
