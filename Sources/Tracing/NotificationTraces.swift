package import Inbox

/// The names of notifications' traces. They are made of the notification's id, so that every process finds the same ones
/// at any time without storing them.
package struct NotificationTraces: Sendable {
    private let salt: UInt64

    /// - Parameter service: tells installations apart whose notifications have the same ids.
    package init(service: String) {
        // FNV-1a, then mixed: it has to be the same in every version.
        salt = Self.mix(service.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 })
    }

    package func trace(of notification: NotificationID) -> TraceID {
        let high = Self.mix(salt ^ Self.mix(UInt64(bitPattern: notification.inbox)))
        return TraceID(chance: (high, Self.mix(high ^ Self.mix(UInt64(bitPattern: notification.sequence) &+ salt))))
    }

    /// The span that the others of the trace are children of.
    package func root(of trace: TraceID) -> SpanID { SpanID(chance: Self.mix(trace.high ^ Self.mix(trace.low))) }

    /// The last step of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): each bit
    /// of the result depends on each of the argument.
    private static func mix(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
