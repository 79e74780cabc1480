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
    /// Whether its row is: nothing is pushed to it until it registers once more.
    let isDamaged: Bool

    /// Whether a push that shows nothing may correct the icon. Browsers demand that each push shows something, and who
    /// wants no notifications has no number on the icon either.
    var takesBadgePushes: Bool {
        !isDamaged && device.provider != .webpush && device.permission != .denied && !device.awaitsToken
    }

    static let columns = """
        device.row, device.inbox, device.app, device.id, device.provider, device.token, device.p256dh, device.auth,
        device.platform, device.environment, device.locale, device.zone, device.permission, device.registered_at,
        device.last_seen_at, device.badge, device.badge_rule, device.registrar
        """

    /// - Parameter row: holds the ``columns``.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        self.row = row.count(0)
        inbox = row.count(1)
        let provider = Device.Provider(rawValue: row.text(4))
        if provider == nil { row.note() }
        var keys: WebPushKeys?
        if let p256dh = row.optionalBytes(6), let auth = row.optionalBytes(7) {
            keys = WebPushKeys(p256dh: p256dh, auth: auth)
            if keys == nil { row.note() }
        }
        let (environment, permission) = (row.optionalText(9), row.optionalText(12))
        var device = Device(
            id: row.text(3), app: row.text(2), provider: provider ?? .apns, token: row.text(5), keys: keys,
            platform: row.optionalText(8), environment: environment.flatMap(Device.Environment.init(rawValue:)),
            locale: row.optionalText(10), zone: row.optionalText(11),
            permission: permission.flatMap(Device.Permission.init(rawValue:)), registeredAt: row.time(13),
            lastSeenAt: row.time(14))
        if (environment != nil) != (device.environment != nil) { row.note() }
        if (permission != nil) != (device.permission != nil) { row.note() }
        device.registrar = Device.Registrar(rawValue: row.count(17)) ?? .person
        let rule = row.optionalText(16).flatMap(BadgeRule.init(rawValue:))
        let number = row.optionalCount(15)
        self.device = device
        badge = rule.flatMap { rule in number.map { Badge(number: $0, rule: rule) } }
        isDamaged = row.isDamaged
    }
}
