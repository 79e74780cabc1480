import Inbox

/// What an operator should do when a provider refuses a push or a key, by the provider and its word.
enum RefusalAdvice {
    /// Nil for a word that is not known.
    static func text(for reason: String, from provider: Device.Provider) -> String? {
        // The word may be followed by details: a place in the message, a number.
        let word = String(reason.prefix { !" ,:".contains($0) || reason.hasPrefix("HTTP") && $0 == " " })
        let table =
            switch provider {
            case .apns: apns
            case .fcm: fcm
            case .onesignal: oneSignal
            case .webpush: webPush
            }
        return table[reason] ?? table[word]
    }

    private static let ours = "This is a mistake of this server: please report it."

    private static let apns = [
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
        "BadMessageId": ours, "BadPriority": ours, "DuplicateHeaders": ours, "InvalidPushType": ours, "BadPath": ours,
        "MethodNotAllowed": ours, "MissingDeviceToken": "The app registered an empty token.",
    ]

    private static let fcm = [
        "SENDER_ID_MISMATCH":
            "The token is of another Firebase project than the service account. Look at FCM_SERVICE_ACCOUNT_PATH and "
            + "at the app's google-services file.",
        "THIRD_PARTY_AUTH_ERROR":
            "The Firebase project lacks what Apple or the browser demands. Upload the APNs key, or look at the Web "
            + "Push certificates, in its Cloud Messaging settings.",
        "INVALID_ARGUMENT":
            "Something in the message is wrong. Look at the catalog's push data and picture; else it is a mistake of "
            + "this server: please report it.",
        "UNAUTHENTICATED":
            "The access token is not taken, though it is new. Look at FCM_SERVICE_ACCOUNT_PATH and this machine's clock.",
        "PERMISSION_DENIED":
            "The service account may not send. Switch on the Firebase Cloud Messaging API in its project, and look at "
            + "the account's role.",
        "NOT_FOUND": "There is no such Firebase project. Look at FCM_SERVICE_ACCOUNT_PATH.",
    ]

    private static let oneSignal = [
        "HTTP 401": "The key is not taken. Look at ONESIGNAL_API_KEY and ONESIGNAL_APP_ID.",
        "HTTP 403": "The key is not taken. Look at ONESIGNAL_API_KEY and ONESIGNAL_APP_ID.",
        "access denied": "The key is of another app or was replaced. Look at ONESIGNAL_API_KEY and ONESIGNAL_APP_ID.",
        "not subscribed":
            "No subscription that is on was found: the person has not allowed pushes, the app has not logged the user "
            + "in, or it uses another ONESIGNAL_APP_ID.",
        "wrong app_id": "There is no such app. Look at ONESIGNAL_APP_ID.",
        "no subscription id":
            "The app registered something else than the id of a push subscription "
            + "(OneSignal.User.pushSubscription.id).",
        "no contents": "The push has no text. Look at the catalog's push body.",
        "wrong idempotency_key": ours,
    ]

    /// Most push services answer with a status alone.
    private static let webPush = [
        "HTTP 400": "The service cannot read the request. " + ours,
        "BadWebPushTopic": ours,
        "HTTP 401":
            "The service does not take the VAPID token. Look at VAPID_PRIVATE_KEY_PATH and this machine's clock.",
        "HTTP 403":
            "The service does not take the VAPID token, or the subscription was made with another VAPID key. Look at "
            + "VAPID_PRIVATE_KEY_PATH, VAPID_SUBJECT and this machine's clock.",
        "HTTP 413":
            "The service takes less than others do, and took no push with a shorter text either. Look at the "
            + "catalog's push texts and data.",
        "VapidPkHashMismatch":
            "The subscription was made with another VAPID key. Look at VAPID_PRIVATE_KEY_PATH, or let the browsers "
            + "subscribe again.",
        "BadJwtToken": "The service does not take the VAPID token. Look at VAPID_SUBJECT and this machine's clock.",
        "endpoint": "The browser's push service is none of those that BELFRY_PUSH_WEB_PUSH_HOSTS allows.",
        "the subscription has no keys": "The app registered a subscription without its keys (p256dh and auth).",
    ]
}
