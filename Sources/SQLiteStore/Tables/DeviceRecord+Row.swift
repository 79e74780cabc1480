import Deliveries
import Inbox
import Push

extension DeviceRecord {
    static let columns = """
        device.row, device.inbox, device.app, device.id, device.provider, device.token, device.p256dh, device.auth,
        device.platform, device.environment, device.locale, device.zone, device.permission, device.registered_at,
        device.last_seen_at, device.badge, device.badge_rule, device.registrar, device.scope, device.expires_at
        """

    static let columnCount = 20

    /// - Parameters:
    ///   - row: holds the ``columns``.
    ///   - providers: a device of any other provider is damaged.
    init(_ row: StoredRow, _ providers: ProviderList) {
        var row = CheckedRow(row)
        let (number, inbox) = (row.count(0), row.count(1))
        let provider = providers[name: row.text(4)]
        if provider == nil { row.note() }
        var keys: WebPushKeys?
        if let p256dh = row.optionalBytes(6), let auth = row.optionalBytes(7) {
            keys = WebPushKeys(p256dh: p256dh, auth: auth)
            if keys == nil { row.note() }
        }
        let (environment, permission) = (row.optionalText(9), row.optionalText(12))
        var device = Device(
            id: row.text(3), app: row.text(2), provider: provider ?? providers[0],
            token: AppName.name(ofKey: row.text(5)), keys: keys,
            platform: row.optionalText(8), environment: environment.flatMap(Device.Environment.init(rawValue:)),
            locale: row.optionalText(10), zone: row.optionalText(11),
            permission: permission.flatMap(Device.Permission.init(rawValue:)), registeredAt: row.time(13),
            lastSeenAt: row.time(14))
        if (environment != nil) != (device.environment != nil) { row.note() }
        if (permission != nil) != (device.permission != nil) { row.note() }
        device.registrar = Device.Registrar(rawValue: row.count(17)) ?? .person
        device.scope = row.optionalText(18)
        device.expiresAt = row.optionalCount(19).map(Timestamp.init(milliseconds:))
        let rule = row.optionalText(16).flatMap(BadgeRule.init(rawValue:))
        let shown = row.optionalCount(15)
        let badge = rule.flatMap { rule in shown.map { Badge(number: $0, rule: rule) } }
        self.init(row: number, inbox: inbox, device: device, badge: badge, isDamaged: row.isDamaged)
    }
}
