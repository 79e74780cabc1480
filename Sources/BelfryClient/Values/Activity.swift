public import Foundation

/// A part of an activity list: the notifications of a span of days.
///
/// A value: it may go to any actor.
public struct ActivityGroup: Sendable, Hashable, Identifiable {
    /// A span of days.
    public enum Span: String, Sendable, Hashable, CaseIterable {
        /// The viewer's current day, and the future.
        case today
        /// The day before, even if it was in another week.
        case yesterday
        /// The days before yesterday in the current week of the viewer's calendar.
        case thisWeek
        /// All days before.
        case earlier
    }

    /// The days of this group.
    public let span: Span
    /// Sorted by time, the newest first. Never empty.
    public let items: [InboxNotification]
    /// The span, which occurs once in a list.
    public var id: Span { span }

    /// Divides notifications by the viewer's days. Runs on the caller's actor.
    ///
    /// - Parameters:
    ///   - items: in any order, such as ``InboxSnapshot/items``. A notification without a time is among the earlier
    ///     ones; one with a time in the future is among those of today.
    ///   - now: the moment at which the list is shown.
    ///   - calendar: its time zone and first day of the week apply.
    /// - Returns: the groups that have notifications, the newest first.
    public static func groups(
        of items: [InboxNotification], now: Date = Date(), calendar: Calendar = .autoupdatingCurrent
    ) -> [ActivityGroup] {
        let dated = items.map { (item: $0, date: $0.createdAt ?? .distantPast) }
        // The sort keeps the order of equal times.
        let sorted = dated.enumerated().sorted { first, second in
            first.element.date == second.element.date
                ? first.offset < second.offset : first.element.date > second.element.date
        }
        let today = calendar.startOfDay(for: now)
        let yesterday = calendar.date(byAdding: .day, value: -1, to: today) ?? today
        let week = calendar.dateInterval(of: .weekOfYear, for: now)?.start ?? today
        let spans = Dictionary(grouping: sorted) { entry -> Span in
            let date = entry.element.date
            if date >= today { return .today }
            if date >= yesterday { return .yesterday }
            return date >= week ? .thisWeek : .earlier
        }
        return Span.allCases.compactMap { span in
            spans[span].map { ActivityGroup(span: span, items: $0.map(\.element.item)) }
        }
    }
}
