/// The project and the host for Firebase Cloud Messaging.
package struct FCMSettings: Sendable, Hashable {
    /// The Firebase project's id, ``ServiceAccount/projectID``.
    package var projectID: String
    /// Replaces Google's base URL, for a stand-in: `https://localhost:4443`.
    package var endpoint: String?

    package init(projectID: String, endpoint: String? = nil) {
        self.projectID = projectID
        self.endpoint = endpoint
    }

    /// Scheme and host, without a slash at the end.
    package var baseURL: String { BaseURL.text(endpoint, orElse: "https://fcm.googleapis.com") }
}
