import Inbox
import Push
import Testing

extension PushJob {
    /// A job for each of the numbers, all to one phone.
    static func numbered(_ ids: ClosedRange<Int64>, in app: AppName = .unnamed) throws -> [PushJob] {
        let user = try #require(UserID("ada", in: app))
        return ids.map { id in
            PushJob(
                PushJob.Part(id: id, notification: nil),
                to: PushTarget(
                    user: user, device: Device(id: "phone", provider: .apns, token: "t", registeredAt: .noon)),
                message: PushMessage(
                    content: nil, badge: 1, notification: nil, collapseID: "c", position: .init(epoch: "e", seq: 1),
                    expiry: .noon), attempt: PushAttempt(expiry: .noon))
        }
    }
}
