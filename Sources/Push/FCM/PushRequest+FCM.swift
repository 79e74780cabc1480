package import Inbox

extension PushRequest {
    /// A push in FCM's form (Firebase, "Method: projects.messages.send"). Nil for a push to a browser that would show
    /// nothing.
    ///
    /// - Parameter accessToken: the current token, from ``GoogleAccessToken``.
    package init?(
        fcm message: PushMessage, to device: Device, settings: FCMSettings, accessToken: String, at now: Timestamp
    ) {
        guard !device.isBrowser || message.kind == .alert else { return nil }
        self.init(
            fcm: FCMMessage(message, token: device.token, at: now).bytes, settings, accessToken: accessToken)
    }

    init(fcm body: [UInt8], _ settings: FCMSettings, accessToken: String) {
        self.init(
            method: "POST",
            url: settings.baseURL + "/v1/projects/" + PercentEncoding.encode(settings.projectID) + "/messages:send",
            headers: [("authorization", "Bearer " + accessToken), ("content-type", "application/json")], body: body)
    }
}
