package import Inbox
package import Push
import Store

/// An accepted push whose notification is still to be read: what a device may show.
package struct PushMark: Sendable, Hashable {
    package let notification: Int64
    /// The provider that has sent it.
    package var provider: Device.Provider
    /// The collapse id, where it is not the notification's own.
    package var collapse: String?
    /// When it was accepted; nil if the trail has a step that says so.
    package var sentAt: Timestamp?

    /// A limit of their own: push-only notifications are never read, so their marks would pile up.
    package static let pushOnlyKept = 50

    // MARK: Bytes

    private static let hasCollapse: UInt8 = 0x10
    private static let hasTime: UInt8 = 0x20
    private static let providerBits: UInt8 = 0x0F

    /// Appends about ten bytes, after which another mark's may follow. Stored since migration 11: another layout needs
    /// a migration.
    package func append(to bytes: inout [UInt8]) {
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

    /// Takes one mark from the front; nil if the bytes are damaged.
    /// - Parameter providers: the known providers; the sender is one of them.
    package init?(from bytes: inout ArraySlice<UInt8>, of providers: ProviderList) {
        guard let head = bytes.popFirst(), head & ~(Self.providerBits | Self.hasCollapse | Self.hasTime) == 0,
            let provider = providers[place: Int(head & Self.providerBits)],
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

    package init(notification: Int64, provider: Device.Provider, collapse: String? = nil, sentAt: Timestamp? = nil) {
        (self.notification, self.provider, self.collapse, self.sentAt) = (notification, provider, collapse, sentAt)
    }
}

extension [PushMark] {
    /// Nil if the bytes are damaged.
    package init?(bytes: [UInt8], of providers: ProviderList) {
        self = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let mark = PushMark(from: &rest, of: providers) else { return nil }
            append(mark)
        }
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for mark in self { mark.append(to: &bytes) }
        return bytes
    }
}
