/// The app, key and host for OneSignal.
package struct OneSignalSettings: Sendable, Hashable {
    package var appID: String
    /// A secret.
    package var apiKey: String
    /// Replaces OneSignal's base URL, for a stand-in: `https://localhost:4443`.
    package var endpoint: String?

    package init(appID: String, apiKey: String, endpoint: String? = nil) {
        self.appID = appID
        self.apiKey = apiKey
        self.endpoint = endpoint
    }

    /// Scheme and host, without a slash at the end.
    package var baseURL: String { BaseURL.text(endpoint, orElse: "https://api.onesignal.com") }
}

extension OneSignalSettings: CustomStringConvertible, CustomReflectable {
    package var description: String { "OneSignal app \(appID)" }
    package var customMirror: Mirror { Mirror(self, children: ["appID": appID]) }
}
