extension ProviderManual {
    /// OneSignal's, from "Push notification".
    package static let onesignal = ProviderManual(
        title: "OneSignal", variables: "ONESIGNAL", credential: "ONESIGNAL_API_KEY",
        advice: [
            "HTTP 401": "The key is not taken. Look at ONESIGNAL_API_KEY and ONESIGNAL_APP_ID.",
            "HTTP 403": "The key is not taken. Look at ONESIGNAL_API_KEY and ONESIGNAL_APP_ID.",
            "access denied":
                "The key is of another app or was replaced. Look at ONESIGNAL_API_KEY and ONESIGNAL_APP_ID.",
            "not subscribed":
                "No subscription that is on was found: the person has not allowed pushes, the app has not logged the user "
                + "in, or it uses another ONESIGNAL_APP_ID.",
            "wrong app_id": "There is no such app. Look at ONESIGNAL_APP_ID.",
            "no subscription id":
                "The app registered something else than the id of a push subscription "
                + "(OneSignal.User.pushSubscription.id).",
            "no contents": "The push has no text. Look at the catalog's push body.",
            "wrong idempotency_key": ours,
        ])
}
