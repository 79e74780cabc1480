/// A row as the list of groups needs it.
package struct GroupedRow {
    package let id: Int64
    package let isRead: Bool
    /// The group's ``ListMark``; nil without a group.
    package let group: Int64?

    package init(id: Int64, isRead: Bool, group: Int64?) { (self.id, self.isRead, self.group) = (id, isRead, group) }
}
