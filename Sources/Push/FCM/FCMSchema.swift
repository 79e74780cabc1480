import JSON

/// The members that FCM's JSON may have (Firebase, "REST Resource: projects.messages"). Google refuses a message with
/// any other member.
indirect enum FCMSchema {
    case string
    case bool
    case integer
    /// `3600s`, with up to nine decimals.
    case duration
    /// An object whose values are strings.
    case stringMap
    /// An object that FCM passes on unchanged: to Apple or to a browser.
    case anyObject
    case strings
    case object([String: FCMSchema])

    static let request = object(["validate_only": .bool, "message": message])

    private static let message = object([
        "name": .string, "data": .stringMap, "notification": notification, "android": android, "webpush": webPush,
        "apns": apns, "fcm_options": .object(["analytics_label": .string]), "token": .string, "topic": .string,
        "condition": .string, "fid": .string, "android_v2": .anyObject,
    ])
    private static let notification = object(["title": .string, "body": .string, "image": .string])
    private static let android = object([
        "collapse_key": .string, "priority": .string, "ttl": .duration, "restricted_package_name": .string,
        "data": .stringMap, "notification": androidNotification,
        "fcm_options": .object(["analytics_label": .string]), "direct_boot_ok": .bool,
        "bandwidth_constrained_ok": .bool,
        "restricted_satellite_ok": .bool,
    ])
    private static let androidNotification = object([
        "title": .string, "body": .string, "icon": .string, "color": .string, "sound": .string, "tag": .string,
        "click_action": .string, "body_loc_key": .string, "body_loc_args": .strings, "title_loc_key": .string,
        "title_loc_args": .strings, "channel_id": .string, "ticker": .string, "sticky": .bool, "event_time": .string,
        "local_only": .bool, "notification_priority": .string, "default_sound": .bool,
        "default_vibrate_timings": .bool, "default_light_settings": .bool, "vibrate_timings": .strings,
        "visibility": .string, "notification_count": .integer, "light_settings": .anyObject, "image": .string,
        "proxy": .string, "bypass_proxy_notification": .bool,
    ])
    private static let webPush = object([
        "headers": .stringMap, "data": .stringMap, "notification": .anyObject,
        "fcm_options": .object(["link": .string, "analytics_label": .string]),
    ])
    private static let apns = object([
        "headers": .stringMap, "payload": .anyObject, "live_activity_token": .string,
        "fcm_options": .object(["analytics_label": .string, "image": .string]),
    ])

    /// - Parameter path: the path of the value, for the error.
    func check(_ value: JSONValue, at path: String) throws(FCMRefusal) {
        switch (self, value) {
        case (.string, .string), (.bool, .bool), (.anyObject, .object): return
        case (.integer, .int(let number)) where Int32(exactly: number) != nil: return
        case (.duration, .string(let text)) where Self.isDuration(text): return
        case (.strings, .array(let elements)) where elements.allSatisfy({ $0.string != nil }): return
        case (.stringMap, .object(let map)):
            for (index, member) in map.members.enumerated() where member.value.string == nil {
                throw Self.invalid("\(path)[\(index)].value", value: member.value, type: "TYPE_STRING")
            }
        case (.object(let members), .object(let object)):
            for member in object.members {
                guard let schema = members[member.key] ?? members[Self.snakeCase(member.key)] else {
                    throw FCMRefusal(
                        400, "INVALID_ARGUMENT",
                        "Invalid JSON payload received. "
                            + "Unknown name \"\(member.key)\" at '\(path)': Cannot find field.",
                        field: path)
                }
                try schema.check(member.value, at: path.isEmpty ? member.key : "\(path).\(member.key)")
            }
        case (.string, _): throw Self.invalid(path, value: value, type: "TYPE_STRING")
        case (.bool, _): throw Self.invalid(path, value: value, type: "TYPE_BOOL")
        case (.integer, _): throw Self.invalid(path, value: value, type: "TYPE_INT32")
        case (.duration, _):
            throw Self.invalid(path, value: value, type: "type.googleapis.com/google.protobuf.Duration")
        case (.strings, _), (.stringMap, _), (.anyObject, _), (.object, _):
            throw Self.invalid(path, value: value, type: "TYPE_MESSAGE")
        }
    }

    private static func invalid(_ path: String, value: JSONValue, type: String) -> FCMRefusal {
        let text = String(decoding: value.encoded, as: UTF8.self)
        return FCMRefusal(
            400, "INVALID_ARGUMENT", "Invalid value at '\(path)' (\(type)), \(text)", field: path)
    }

    /// Google accepts both spellings of a name: `collapse_key` and `collapseKey`.
    private static func snakeCase(_ key: String) -> String {
        key.reduce(into: "") { text, letter in text += letter.isUppercase ? "_" + letter.lowercased() : String(letter) }
    }

    private static func isDuration(_ text: String) -> Bool {
        guard text.hasSuffix("s"), let seconds = Double(text.dropLast()) else { return false }
        return (0...2_419_200).contains(seconds)
    }
}
