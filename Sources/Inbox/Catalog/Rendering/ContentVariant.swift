package import JSON

/// The reasons for different wordings of one event: equal variants have equal contents.
package struct ContentVariant: Sendable, Hashable {
    /// The translation; nil for the catalog's own words.
    package var locale: String?
    /// The zone in which times are printed; nil for the catalog's, and for types without times.
    package var zone: String?
    /// The part of these recipients' own data that the type shows.
    package var own: JSONObject?

    package init(locale: String? = nil, zone: String? = nil, own: JSONObject? = nil) {
        self.locale = locale
        self.zone = zone
        self.own = own
    }
}
