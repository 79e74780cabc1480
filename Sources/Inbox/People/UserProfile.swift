package import JSON

/// What a backend keeps here about a person: `{"locale"?: …, "zone"?: …, "email"?: …, …}`; the rest is the app's own.
package struct UserProfile: Sendable, Hashable {
    package var locale: String?
    package var zone: String?
    package var email: String?
    /// All of it, as the backend sent it.
    package var json: JSONObject

    package init(locale: String? = nil, zone: String? = nil, email: String? = nil, json: JSONObject = [:]) {
        self.locale = locale
        self.zone = zone
        self.email = email
        self.json = json
    }

    package var reader: Reader { Reader(locale: locale, zone: zone) }
}
