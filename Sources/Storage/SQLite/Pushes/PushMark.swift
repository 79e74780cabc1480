import Inbox
import Push

/// An accepted push whose notification is still to be read: what a device may show.
struct PushMark: Sendable, Hashable {
    let notification: Int64
    /// Through whom it went.
    var provider: Device.Provider
    /// The collapse id, where that is not the notification's own.
    var collapse: String?
    /// When it was accepted; nil if the trail has a step that says so.
    var sentAt: Timestamp?

    // MARK: Bytes

    private static let hasCollapse: UInt8 = 0x10
    private static let hasTime: UInt8 = 0x20
    private static let providerBits: UInt8 = 0x0F

    /// Appends about ten bytes. They stand for themselves: those of several marks may follow each other. Stored since
    /// migration 11: another layout needs a migration.
    func append(to bytes: inout [UInt8]) {
        var head = UInt8(provider.place)
        if collapse != nil { head |= Self.hasCollapse }
        if sentAt != nil { head |= Self.hasTime }
        bytes.append(head)
        bytes.appendVarint(UInt64(bitPattern: notification))
        if let sentAt { bytes.appendVarint(UInt64(bitPattern: sentAt.milliseconds)) }
        if let collapse {
            bytes.appendVarint(UInt64(collapse.utf8.count))
            bytes += collapse.utf8
        }
    }

    /// Takes one from the front; nil if the bytes are damaged.
    init?(from bytes: inout ArraySlice<UInt8>) {
        guard let head = bytes.popFirst(), head & ~(Self.providerBits | Self.hasCollapse | Self.hasTime) == 0,
            let provider = Device.Provider(place: Int(head & Self.providerBits)),
            let notification = bytes.takeVarint()
        else { return nil }
        (self.notification, self.provider) = (Int64(bitPattern: notification), provider)
        if head & Self.hasTime != 0 {
            guard let time = bytes.takeVarint() else { return nil }
            sentAt = Timestamp(milliseconds: Int64(bitPattern: time))
        }
        if head & Self.hasCollapse != 0 {
            guard let count = bytes.takeVarint(), count <= bytes.count else { return nil }
            guard let text = String(validating: bytes.prefix(Int(count)), as: UTF8.self) else { return nil }
            collapse = text
            bytes.removeFirst(Int(count))
        }
    }

    init(notification: Int64, provider: Device.Provider, collapse: String? = nil, sentAt: Timestamp? = nil) {
        (self.notification, self.provider, self.collapse, self.sentAt) = (notification, provider, collapse, sentAt)
    }
}

extension [PushMark] {
    /// Nil if the bytes are damaged.
    init?(bytes: [UInt8]) {
        self = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let mark = PushMark(from: &rest) else { return nil }
            append(mark)
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for mark in self { mark.append(to: &bytes) }
        return bytes
    }
}
