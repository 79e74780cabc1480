import JSON

/// The account for requests to FCM: the JSON file from Google's console (Firebase, "Authorize send requests").
package struct ServiceAccount: Sendable {
    /// The Firebase project whose apps get the pushes.
    package let projectID: String
    package let clientEmail: String
    /// PEM of an RSA key. A secret.
    package let privateKey: String
    /// Google's name for the key.
    package let privateKeyID: String?
    /// The URL of the token service.
    package let tokenURI: String

    /// Reads the file's text.
    package init(parsing text: String) throws(ServiceAccountError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: text)
        } catch {
            throw ServiceAccountError("not a service account's JSON file: \(error.reason)")
        }
        guard let object = json.object else {
            throw ServiceAccountError("a service account's file holds an object, not \(json.kind)")
        }
        // Google has other files that look alike: for users and for workload identities.
        let type = try Self.member("type", of: object)
        guard type == "service_account" else {
            throw ServiceAccountError("\"type\" must be \"service_account\": this file is of another kind of account")
        }
        projectID = try Self.member("project_id", of: object)
        clientEmail = try Self.member("client_email", of: object)
        privateKey = try Self.member("private_key", of: object)
        guard privateKey.contains("-----BEGIN") else {
            throw ServiceAccountError("\"private_key\" must be a key in PEM: text that begins with \"-----BEGIN\"")
        }
        privateKeyID = object["private_key_id"]?.string
        tokenURI = object["token_uri"]?.string ?? "https://oauth2.googleapis.com/token"
        guard tokenURI.hasPrefix("https://") else {
            throw ServiceAccountError("\"token_uri\" must begin with https://")
        }
    }

    private static func member(_ key: String, of object: JSONObject) throws(ServiceAccountError) -> String {
        guard let value = object[key] else { throw ServiceAccountError("\"\(key)\" is missing") }
        guard let text = value.string, !text.isEmpty else {
            throw ServiceAccountError(
                "\"\(key)\" must be a text, not \(value.string == nil ? value.kind : "an empty one")")
        }
        return text
    }
}

extension ServiceAccount: CustomStringConvertible, CustomReflectable {
    package var description: String { "service account of \(projectID)" }
    package var customMirror: Mirror { Mirror(self, children: ["projectID": projectID]) }
}
