extension ProviderManual {
    /// Firebase's, from "ErrorCode".
    package static let fcm = ProviderManual(
        title: "FCM", variables: "FCM", credential: "FCM_SERVICE_ACCOUNT_PATH",
        advice: [
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
        ])
}
