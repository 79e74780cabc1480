package import JSON

/// A backend's data about a person: `{"locale"?: …, "zone"?: …, "email"?: …, …}`; other members are the app's own.
package struct UserProfile: Sendable, Hashable {
    package var locale: String?
    package var zone: String?
    package var email: String?
    /// The whole profile, as the backend sent it.
    package var json: JSONObject

    package init(locale: String? = nil, zone: String? = nil, email: String? = nil, json: JSONObject = [:]) {
        self.locale = locale
        self.zone = zone
        self.email = email
        self.json = json
    }

    package var reader: Reader { Reader(locale: locale, zone: zone) }
}
