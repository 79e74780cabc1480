package import Inbox

extension PushRequest {
    /// A push in OneSignal's form (OneSignal, "Push notification"). Nil for a push to a browser that would show
    /// nothing.
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
