/// A client's place in an inbox: it has everything up to `seq` of this epoch.
package struct InboxPosition: Sendable, Hashable {
    package let epoch: String
    package let seq: Int64

    package init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}
