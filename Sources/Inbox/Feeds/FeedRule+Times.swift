import Foundation

extension FeedRule {
    /// A client's time: RFC 3339, or without an offset if the rule has a zone. A time that clocks show twice is the
    /// earlier one. A time that clocks skip is the moment of the change.
    package func moment(_ text: some StringProtocol) -> Timestamp? {
        if let moment = Timestamp(iso8601: text) { return moment }
        guard let zone = zone.flatMap({ TimeZone(identifier: $0) }),
            let shown = Timestamp(iso8601: String(text) + "Z")
        else { return nil }
        let (seconds, rest) = shown.milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return Timestamp(milliseconds: ZoneClock(zone: zone).first(seconds).milliseconds + rest)
    }

    /// The form that ``moment(_:)`` accepts, for messages.
    package var momentExpectation: String {
        let zone = zone.map { ", or without a zone, which is then \($0)" } ?? ""
        return "expected a time such as 2024-12-09T18:00:00Z\(zone)"
    }
}
