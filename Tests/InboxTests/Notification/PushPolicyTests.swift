import Inbox
import Testing

struct PushPolicyTests {
    private static let now = Timestamp(milliseconds: 1_000_000)

    private static func after(_ seconds: Int64) -> Timestamp { now + .seconds(seconds) }

    static let dues: [(policy: PushPolicy, isLive: Bool, notBefore: Int64?, due: Int64?)] = [
        (PushPolicy(when: .fallback, urgency: .normal), true, nil, 4),
        (PushPolicy(when: .fallback, urgency: .normal), false, nil, 0),
        (PushPolicy(when: .fallback, urgency: .urgent), true, nil, 0),
        (PushPolicy(when: .fallback, urgency: .normal, grace: .seconds(20)), true, nil, 20),
        (PushPolicy(when: .fallback, urgency: .normal, grace: .zero), true, nil, 0),
        (PushPolicy(when: .fallback, urgency: .normal, grace: .seconds(20)), false, nil, 0),
        (PushPolicy(when: .always, urgency: .low, grace: .seconds(20)), true, nil, 0),
        (PushPolicy(when: .never, urgency: .urgent), false, 60, nil),
        (PushPolicy(when: .fallback, urgency: .normal), true, 60, 60),
        (PushPolicy(when: .fallback, urgency: .normal), true, 2, 4),
        (PushPolicy(when: .fallback, urgency: .normal), false, -60, 0),
        (PushPolicy(when: .always, urgency: .urgent), false, 60, 60),
    ]

    @Test(arguments: dues)
    func `a push waits for an acknowledgement only where one may come, and always for the publisher's word`(
        _ policy: PushPolicy, _ isLive: Bool, _ notBefore: Int64?, _ due: Int64?
    ) {
        let found = policy.due(
            at: Self.now, isLive: isLive, grace: .seconds(4), notBefore: notBefore.map(Self.after))
        #expect(found == due.map(Self.after))
    }

    @Test(
        arguments: [
            (nil, nil, 160), (30, nil, 90), (nil, 70, 70), (30, 70, 70), (30, 100, 90), (nil, 50, 50),
        ] as [(Int64?, Int64?, Int64)])
    func `a push is worth sending for its type's lifetime from when it is due, and never after the event expires`(
        _ lifetime: Int64?, _ expiresAt: Int64?, _ expiry: Int64
    ) {
        let policy = PushPolicy(when: .fallback, urgency: .normal, lifetime: lifetime.map { .seconds($0) })
        let found = policy.expiry(
            due: Self.after(60), lifetime: .seconds(100), expiresAt: expiresAt.map(Self.after))
        #expect(found == Self.after(expiry))
    }
}
