package import Inbox

extension PushRequest {
    /// A push as FCM wants it (Firebase, "Method: projects.messages.send"). Nil if there is nothing to send: it would
    /// show nothing, and the device is a browser.
    ///
    /// - Parameter accessToken: of the moment, from ``GoogleAccessToken``.
    package init?(
        fcm message: PushMessage, to device: Device, settings: FCMSettings, accessToken: String, at now: Timestamp
    ) {
        guard !device.isBrowser || message.kind == .alert else { return nil }
        self.init(
            method: "POST",
            url: settings.baseURL + "/v1/projects/" + PercentEncoding.encode(settings.projectID) + "/messages:send",
            headers: [("authorization", "Bearer " + accessToken), ("content-type", "application/json")],
            body: FCMMessage(message, token: device.token, at: now).bytes)
    }
}
