package import Inbox

/// An inbox's state, and what the writer needs to know of its row.
package struct InboxRecord: Sendable {
    package let id: Int64
    package var state: InboxState
    /// How many devices the user has.
    package var devices: Int64
    /// Nil without any data about the person.
    package var person: Person?
    /// Whether the row is damaged: values that make no sense count as if they had never been written.
    package let isDamaged: Bool
    private var written: Written

    /// The values that only the inbox's row can tell, as they are there.
    private struct Written: Hashable {
        /// `seq` minus `total`: a new notification moves both by one, and nothing else keeps the difference.
        let lead: Int64
        let devices: Int64
    }

    package init(id: Int64, epoch: String) {
        (self.id, state, devices) = (id, InboxState(epoch: epoch), 0)
        written = Written(lead: 0, devices: 0)
        isDamaged = false
    }

    /// One as its row has it.
    package init(id: Int64, state: InboxState, devices: Int64, person: Person?, isDamaged: Bool) {
        (self.id, self.state, self.devices, self.person) = (id, state, devices, person)
        self.isDamaged = isDamaged
        written = Written(lead: state.seq - state.total, devices: devices)
    }

    private var current: Written { Written(lead: state.seq - state.total, devices: devices) }

    /// Whether the row lacks a change that the rows of notifications do not tell, see ``Schema/inboxState``.
    package var isOutdated: Bool { written != current }

    /// The record once its row is written.
    package var asWritten: InboxRecord {
        var record = self
        record.written = current
        return record
    }
}
