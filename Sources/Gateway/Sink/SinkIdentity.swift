import Foundation
import JSON
import Push

/// The names and secrets by which senders address a sink, in the forms that the services use.
struct SinkIdentity: Sendable {
    static let bundleID = "com.example.belfry"
    static let projectID = "belfry-sink"
    static let clientEmail = "belfry@\(projectID).iam.gserviceaccount.com"
    static let vapidSubject = "mailto:belfry@example.com"

    /// Ten characters each, as Apple's.
    let apnsKeyID: String
    let apnsTeamID: String
    /// The name of the service account's key.
    let fcmKeyID: String
    let oneSignalAppID: String
    let oneSignalAPIKey: Secret
    /// Signs the access tokens that the sink issues.
    let accessTokenSecret: Secret

    static func random() -> SinkIdentity {
        SinkIdentity(
            apnsKeyID: appleID(), apnsTeamID: appleID(), fcmKeyID: letters(40, of: "0123456789abcdef"),
            oneSignalAppID: UUIDText.random(), oneSignalAPIKey: Secret("os_v2_app_" + letters(40, of: lowercase)),
            accessTokenSecret: Secret(letters(40, of: lowercase)))
    }

    private static let lowercase = "abcdefghijklmnopqrstuvwxyz234567"

    private static func appleID() -> String { letters(10, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") }

    private static func letters(_ count: Int, of alphabet: String) -> String {
        String((0..<count).compactMap { _ in alphabet.randomElement() })
    }
}

extension SinkIdentity {
    /// Reads what ``json`` wrote; nil if a member is missing.
    init?(_ object: JSONObject) {
        guard let apnsKeyID = object["apnsKeyID"]?.string, let apnsTeamID = object["apnsTeamID"]?.string,
            let fcmKeyID = object["fcmKeyID"]?.string, let oneSignalAppID = object["oneSignalAppID"]?.string,
            let oneSignalAPIKey = object["oneSignalAPIKey"]?.string,
            let accessTokenSecret = object["accessTokenSecret"]?.string
        else { return nil }
        self.init(
            apnsKeyID: apnsKeyID, apnsTeamID: apnsTeamID, fcmKeyID: fcmKeyID, oneSignalAppID: oneSignalAppID,
            oneSignalAPIKey: Secret(oneSignalAPIKey), accessTokenSecret: Secret(accessTokenSecret))
    }

    /// Includes the secrets.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("apnsKeyID", apnsKeyID)
            json.member("apnsTeamID", apnsTeamID)
            json.member("fcmKeyID", fcmKeyID)
            json.member("oneSignalAppID", oneSignalAppID)
            json.member("oneSignalAPIKey", oneSignalAPIKey.text)
            json.member("accessTokenSecret", accessTokenSecret.text)
        }
        return json.bytes
    }
}
