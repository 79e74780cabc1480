import Deliveries
import Inbox
import Postgres
import Push

extension DeviceRecord {
    static let columns = """
        device.row, device.inbox, device.app, device.id, device.provider, device.token, device.p256dh, device.auth,
        device.platform, device.environment, device.locale, device.zone, device.permission, device.registered_at,
        device.last_seen_at, device.badge, device.badge_rule, device.registrar, device.scope, device.expires_at
        """

    static let columnCount = 20
    static let providerColumn = 4
    static let tokenColumn = 5

    /// A value that makes no sense is read as the nearest harmless one, so that its row can still be replaced.
    ///
    /// - Parameters:
    ///   - row: holds the ``columns``.
    ///   - providers: a device of any other provider is damaged.
    init(_ row: PostgresRow, _ providers: ProviderList) throws {
        let provider = providers[name: try row.text(4)]
        var isDamaged = provider == nil
        var keys: WebPushKeys?
        if let p256dh = try row.bytesOrNil(6), let auth = try row.bytesOrNil(7) {
            keys = WebPushKeys(p256dh: p256dh, auth: auth)
            isDamaged = isDamaged || keys == nil
        }
        let (environment, permission) = (try row.textOrNil(9), try row.textOrNil(12))
        var device = Device(
            id: try row.text(3), app: try row.text(2), provider: provider ?? providers[0],
            token: AppName.name(ofKey: try row.text(5)), keys: keys, platform: try row.textOrNil(8),
            environment: environment.flatMap(Device.Environment.init(rawValue:)), locale: try row.textOrNil(10),
            zone: try row.textOrNil(11), permission: permission.flatMap(Device.Permission.init(rawValue:)),
            registeredAt: Timestamp(milliseconds: try row.int64(13)),
            lastSeenAt: Timestamp(milliseconds: try row.int64(14)))
        if (environment != nil) != (device.environment != nil) { isDamaged = true }
        if (permission != nil) != (device.permission != nil) { isDamaged = true }
        device.registrar = Device.Registrar(rawValue: try row.int64(17)) ?? .person
        device.scope = try row.textOrNil(18)
        device.expiresAt = try row.int64OrNil(19).map(Timestamp.init(milliseconds:))
        let rule = try row.textOrNil(16).flatMap(BadgeRule.init(rawValue:))
        let shown = try row.int64OrNil(15)
        let badge = rule.flatMap { rule in shown.map { Badge(number: $0, rule: rule) } }
        self.init(
            row: try row.int64(0), inbox: try row.int64(1), device: device, badge: badge, isDamaged: isDamaged)
    }
}
