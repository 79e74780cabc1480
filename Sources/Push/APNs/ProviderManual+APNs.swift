extension ProviderManual {
    /// Apple's, from "Handling notification responses from APNs".
    package static let apns = ProviderManual(
        title: "APNs", variables: "APNS", credential: "APNS_KEY_PATH",
        advice: [
            "BadDeviceToken":
                "The token is of the other environment (a development build needs the sandbox), or of no device at all. "
                + "Look at the device's environment and at APNS_USE_SANDBOX.",
            "DeviceTokenNotForTopic":
                "The token is of another app than the bundle id. Look at APNS_BUNDLE_ID and at the app's own bundle id.",
            "TopicDisallowed": "The key may not send to this bundle id. Look at APNS_BUNDLE_ID and APNS_TEAM_ID.",
            "BadTopic": "The bundle id is wrong. Look at APNS_BUNDLE_ID.",
            "MissingTopic": "The bundle id is missing. Look at APNS_BUNDLE_ID.",
            "InvalidProviderToken":
                "The key, its id and the team's id do not belong together. Look at APNS_KEY_PATH, APNS_KEY_ID and "
                + "APNS_TEAM_ID.",
            "MissingProviderToken": "The key makes no token. Look at APNS_KEY_PATH.",
            "ExpiredProviderToken": "A token that was just made counts as too old. Look at this machine's clock.",
            "BadEnvironmentKeyIdInToken":
                "The key is for the other environment. Look at APNS_USE_SANDBOX, or make a key for both.",
            "UnrelatedKeyIdInToken": "The key is of another team or app. Look at APNS_KEY_ID and APNS_TEAM_ID.",
            "BadCertificate": "The key was not taken. Look at APNS_KEY_PATH.",
            "BadCertificateEnvironment": "The key is for the other environment. Look at APNS_USE_SANDBOX.",
            "Forbidden": "Apple does not let this key send. Look in the developer account whether it was revoked.",
            "PayloadTooLarge": ours, "PayloadEmpty": ours, "BadCollapseId": ours, "BadExpirationDate": ours,
            "BadMessageId": ours, "BadPriority": ours, "DuplicateHeaders": ours, "InvalidPushType": ours,
            "BadPath": ours,
            "MethodNotAllowed": ours, "MissingDeviceToken": "The app registered an empty token.",
        ])
}
