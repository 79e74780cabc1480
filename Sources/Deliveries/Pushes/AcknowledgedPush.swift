package import Push

/// A job that an acknowledgement has cancelled.
package struct AcknowledgedPush {
    package let provider: Device.Provider
    package let device: Int64
    package let notification: Int64
    /// Whether an earlier push of the notification is on the screen.
    package let isShown: Bool
    /// The collapse id of that push, where it is not the notification's own.
    package let place: String?

    /// Whether both are a push of the same notification to the same device.
    package func stands(for job: NewPushJob) -> Bool { (device, notification) == (job.device, job.notification) }

    package init(provider: Device.Provider, device: Int64, notification: Int64, isShown: Bool, place: String?) {
        self.provider = provider
        self.device = device
        self.notification = notification
        self.isShown = isShown
        self.place = place
    }
}
