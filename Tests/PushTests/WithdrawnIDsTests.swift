import Inbox
import JSON
import Push
import Testing

/// How many collapse ids one push withdraws.
struct WithdrawnIDsTests {
    /// The ids that a payload without anything to show withdraws.
    private func withdrawn(_ ids: [String], by provider: Device.Provider) throws -> [String] {
        let message = PushMessage(
            content: nil, badge: .max, notification: nil, collapseID: "badge",
            position: PushMessage.Position(epoch: String(repeating: "e", count: 36), seq: .max), withdrawn: ids,
            expiry: now + .seconds(3_600))
        let own: JSONValue?
        switch provider {
        case .apns:
            let payload = try JSONValue(parsing: APNsPayload(message).bytes)
            own = payload.at(["belfry"])
        case .fcm:
            let body = try JSONValue(parsing: FCMMessage(message, token: "t", at: now).bytes)
            own = try body.at(["message", "data", "belfry"])?.string.map { try JSONValue(parsing: $0) }
        case .onesignal:
            let body = OneSignalMessage(message, to: device(provider: .onesignal), appID: "app", at: now).bytes
            own = try JSONValue(parsing: body).at(["data", "belfry"])
        default: own = nil
        }
        return own?.at(["withdrawn"])?.array?.compactMap(\.string) ?? []
    }

    @Test(arguments: [Device.Provider.apns, .fcm, .onesignal], [4, 8, 14, 32])
    func `a payload has room for all that are chosen for it`(_ provider: Device.Provider, _ length: Int) throws {
        let ids = (1_000..<2_000).map { number in "\(number)" + String(repeating: "x", count: length - 4) }
        let fitting = WithdrawnIDs.fitting(ids, to: provider)
        #expect(fitting == Array(ids.suffix(fitting.count)))
        #expect(fitting.count >= 1_500 / (length + 5))
        #expect(try withdrawn(fitting, by: provider) == fitting)
    }

    @Test func `few are chosen whole, and none for a browser`() {
        #expect(WithdrawnIDs.fitting(["a", "b"], to: .apns) == ["a", "b"])
        #expect(WithdrawnIDs.fitting([], to: .apns) == [])
        #expect(WithdrawnIDs.fitting(["a"], to: .webpush) == [])
    }
}
