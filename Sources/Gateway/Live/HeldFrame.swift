import Transport

/// A frame that came before its turn.
struct HeldFrame {
    /// The change's `seq` or the item's offset.
    let seq: Int64
    /// How many notifications are unread after it; 0 in feeds, where nothing is read.
    let unread: Int64
    let message: OutgoingMessage
}
