import Transport

/// A frame that came before its turn.
struct HeldFrame {
    /// Its place in what its reader follows: the change's `seq`, the item's offset.
    let seq: Int64
    /// How many notifications are unread behind it; 0 in feeds, where nothing is read.
    let unread: Int64
    let message: OutgoingMessage
}
