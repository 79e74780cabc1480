import Foundation
import GRDB
import Inbox
import Push

/// One row of `device`.
struct DeviceRecord {
    /// What an app's icon shows, as far as we know.
    struct Badge: Hashable {
        /// Set by the last push that the provider accepted.
        var number: Int64
        /// What that push counted.
        var rule: BadgeRule
    }

    let row: Int64
    let inbox: Int64
    let device: Device
    /// Nil as long as no push was accepted.
    let badge: Badge?

    /// Whether a push that shows nothing may correct the icon. Browsers demand that each push shows something, and who
    /// wants no notifications has no number on the icon either.
    var takesBadgePushes: Bool {
        device.provider != .webpush && device.permission != .denied && !device.awaitsToken
    }

    static let columns = """
        device.row, device.inbox, device.app, device.id, device.provider, device.token, device.p256dh, device.auth,
        device.platform, device.environment, device.locale, device.zone, device.permission, device.registered_at,
        device.last_seen_at, device.badge, device.badge_rule, device.registrar
        """

    init(_ row: StoredRow) throws { try self.init(row, from: 0) }

    /// - Parameters:
    ///   - row: holds the ``columns``.
    ///   - start: where they begin.
    init(_ row: StoredRow, from start: Int) throws {
        self.row = try row.int(start)
        inbox = try row.int(start + 1)
        guard let provider = Device.Provider(rawValue: try row.text(start + 4)) else {
            throw DamagedRow(table: "device")
        }
        var keys: WebPushKeys?
        if let p256dh = try row.bytes(start + 6), let auth = try row.bytes(start + 7) {
            keys = WebPushKeys(p256dh: p256dh, auth: auth)
        }
        var device = Device(
            id: try row.text(start + 3), app: try row.text(start + 2), provider: provider,
            token: try row.text(start + 5), keys: keys, platform: try row.optionalText(start + 8),
            environment: try row.optionalText(start + 9).flatMap(Device.Environment.init(rawValue:)),
            locale: try row.optionalText(start + 10), zone: try row.optionalText(start + 11),
            permission: try row.optionalText(start + 12).flatMap(Device.Permission.init(rawValue:)),
            registeredAt: Timestamp(milliseconds: try row.int(start + 13)),
            lastSeenAt: Timestamp(milliseconds: try row.int(start + 14)))
        device.registrar = Device.Registrar(rawValue: try row.int(start + 17)) ?? .person
        let rule = try row.optionalText(start + 16).flatMap(BadgeRule.init(rawValue:))
        self.device = device
        badge = try rule.flatMap { rule in
            try row.optionalInt(start + 15).map { Badge(number: $0, rule: rule) }
        }
    }
}
