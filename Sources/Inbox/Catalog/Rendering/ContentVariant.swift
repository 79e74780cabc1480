package import JSON

/// What tells apart the wordings of one event: equal ones have equal contents.
package struct ContentVariant: Sendable, Hashable {
    /// The translation; nil for the catalog's own words.
    package var locale: String?
    /// The zone in which times are printed; nil for the catalog's, or where there are none.
    package var zone: String?
    /// What the event says for these recipients alone, where the type shows it.
    package var own: JSONObject?

    package init(locale: String? = nil, zone: String? = nil, own: JSONObject? = nil) {
        self.locale = locale
        self.zone = zone
        self.own = own
    }
}
