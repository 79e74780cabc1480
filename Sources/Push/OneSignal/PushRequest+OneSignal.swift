package import Inbox

extension PushRequest {
    /// A push as OneSignal wants it (OneSignal, "Push notification"). Nil if there is nothing to send: it would show
    /// nothing, and the device is a browser.
    package init?(
        oneSignal message: PushMessage, to device: Device, settings: OneSignalSettings, at now: Timestamp
    ) {
        guard !device.isBrowser || message.kind == .alert else { return nil }
        self.init(
            method: "POST", url: settings.baseURL + "/notifications?c=push",
            headers: [("authorization", "Key " + settings.apiKey), ("content-type", "application/json")],
            body: OneSignalMessage(message, to: device, appID: settings.appID, at: now).bytes)
    }
}
