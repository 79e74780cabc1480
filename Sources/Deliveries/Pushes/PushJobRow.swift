package import Inbox

/// A row of `push_job`.
package struct PushJobRow {
    /// Values that most rows do not have. A class, so that passing a row on counts one reference instead of five.
    private final class More {
        let collapse: String?
        let foldKey: String?
        let fold: Int64?
        let withdrawn: [String]
        let isShown: Bool
        let shownAs: String?

        init(
            collapse: String?, foldKey: String?, fold: Int64?, withdrawn: [String], isShown: Bool, shownAs: String?
        ) {
            (self.collapse, self.foldKey, self.fold) = (collapse, foldKey, fold)
            (self.withdrawn, self.isShown, self.shownAs) = (withdrawn, isShown, shownAs)
        }
    }

    package let place: PushTurns.Place
    package let failures: Int
    package let expiry: Timestamp
    /// The publisher's end: the push is worth nothing after it.
    package let deadline: Timestamp?
    /// The row of the content that the notification came with and still has; nil where the notification tells.
    package let newContent: Int64?
    /// Whether the row is damaged: the job is given up.
    package let isDamaged: Bool
    private let more: More?

    package var foldKey: String? { more?.foldKey }
    /// The first notification of the fold in which the job was handed out.
    package var fold: Int64? { more?.fold }
    /// The collapse id, where it is not the notification's own.
    package var collapse: String? { more?.collapse }
    package var withdrawn: [String] { more?.withdrawn ?? [] }
    /// Whether an earlier push of the notification is on the screen.
    package var isShown: Bool { more?.isShown ?? false }
    /// The collapse id of that push, where it is not the one with which this one leaves.
    package var shownAs: String? { more?.shownAs }

    /// One as its row has it.
    package init(
        place: PushTurns.Place, failures: Int, expiry: Timestamp, deadline: Timestamp?, newContent: Int64?,
        isDamaged: Bool, collapse: String?, foldKey: String? = nil, fold: Int64? = nil, withdrawn: [String] = [],
        isShown: Bool = false, shownAs: String? = nil
    ) {
        (self.place, self.failures, self.expiry, self.deadline) = (place, failures, expiry, deadline)
        (self.newContent, self.isDamaged) = (newContent, isDamaged)
        let isPlain =
            collapse == nil && foldKey == nil && fold == nil && withdrawn.isEmpty && !isShown && shownAs == nil
        more =
            isPlain
            ? nil
            : More(
                collapse: collapse, foldKey: foldKey, fold: fold, withdrawn: withdrawn, isShown: isShown,
                shownAs: shownAs)
    }
}
