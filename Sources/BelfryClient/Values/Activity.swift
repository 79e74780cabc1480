public import Foundation

/// A part of an activity list: the notifications of one span of days.
///
/// A value: it may go to any actor.
public struct ActivityGroup: Sendable, Hashable, Identifiable {
    /// Which days.
    public enum Span: String, Sendable, Hashable, CaseIterable {
        /// The viewer's day, and what is to come.
        case today
        /// The day before, also where that was another week.
        case yesterday
        /// The days before yesterday of the week that the viewer's calendar has now.
        case thisWeek
        /// Everything before.
        case earlier
    }

    /// Which days these are.
    public let span: Span
    /// The newest first, by when it happened. Never empty.
    public let items: [InboxNotification]
    /// The span: a list has each once.
    public var id: Span { span }

    /// Divides notifications by the viewer's days. Runs on the caller's actor.
    ///
    /// - Parameters:
    ///   - items: in any order, such as ``InboxSnapshot/items``. One whose time is not known is among the earlier ones;
    ///     one of a time to come among those of today.
    ///   - now: the moment at which the list is shown.
    ///   - calendar: whose time zone and first day of the week count.
    /// - Returns: the groups that have notifications, the newest first.
    public static func groups(
        of items: [InboxNotification], now: Date = Date(), calendar: Calendar = .autoupdatingCurrent
    ) -> [ActivityGroup] {
        let dated = items.map { (item: $0, date: $0.createdAt ?? .distantPast) }
        // A sort that keeps the order of equal times: by their place in the list.
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
