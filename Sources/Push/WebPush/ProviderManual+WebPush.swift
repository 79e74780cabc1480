extension ProviderManual {
    /// For browsers' services, from RFC 8030 §5 and §7.3, and RFC 8292 §4.2. Most reply with a status alone.
    package static let webpush = ProviderManual(
        title: "The browser's push service", variables: "WEBPUSH", credential: "VAPID_PRIVATE_KEY_PATH",
        advice: [
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
            "HTTP 403, ntfy 40301":
                "The person's ntfy server lets nobody publish to this topic without an account. It has to allow "
                + "everybody to write to topics that begin with \"up\".",
            "VapidPkHashMismatch":
                "The subscription was made with another VAPID key. Look at VAPID_PRIVATE_KEY_PATH, or let the browsers "
                + "subscribe again.",
            "BadJwtToken": "The service does not take the VAPID token. Look at VAPID_SUBJECT and this machine's clock.",
            "endpoint": "The browser's push service is none of those that BELFRY_PUSH_WEB_PUSH_HOSTS allows.",
            "the subscription has no keys": "The app registered a subscription without its keys (p256dh and auth).",
        ])
}
