public import Foundation

/// Registers devices for pushes, and reads pushes.
extension Inbox {
    /// The environment of Apple's servers that a build's tokens belong to.
    public enum PushEnvironment: String, Sendable, Hashable { case production, sandbox }

    /// The person's choice in the phone's settings.
    public enum PushPermission: String, Sendable, Hashable { case granted, provisional, denied }

    /// Registers this device for pushes by APNs. Call it at every launch: tokens change.
    ///
    /// - Parameters:
    ///   - token: the token from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    ///   - id: the app's own name for the installation, up to 200 bytes, such as `identifierForVendor`.
    ///   - app: the app's name, if the server has catalogs of several apps.
    ///   - environment: the build's environment; nil to use the server's setting.
    ///   - permission: a device with `denied` gets no pushes.
    ///   - locale: the language of pushes.
    ///   - zone: the zone of quiet hours that name none.
    /// - Returns: the device as the server has it now.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func registerDevice(
        token: Data, id: String, app: String? = nil, environment: PushEnvironment? = nil,
        permission: PushPermission? = nil, locale: Locale = .current, zone: TimeZone = .current
    ) async throws -> JSONValue {
        let hexadecimal = token.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        var body: [String: JSONValue] = [
            "provider": "apns", "token": .string(hexadecimal), "platform": .string(Self.platform),
            "locale": .string(locale.identifier), "zone": .string(zone.identifier),
        ]
        body["app"] = app.map(JSONValue.string)
        body["environment"] = environment.map { .string($0.rawValue) }
        body["permission"] = permission.map { .string($0.rawValue) }
        let call = RESTCall(method: "PUT", path: "/api/devices/" + RESTCall.escape(id), body: .object(body))
        return try await settled { $0.call(call, call: $1, $2) }
    }

    /// Removes the registration when the person signs out; call it before ``close()``.
    ///
    /// - Parameters: see ``registerDevice(token:id:app:environment:permission:locale:zone:)``.
    /// - Throws: a ``BelfryError``.
    public func unregisterDevice(id: String, app: String? = nil) async throws {
        let query = app.map { "?app=" + RESTCall.escape($0) } ?? ""
        let call = RESTCall(method: "DELETE", path: "/api/devices/" + RESTCall.escape(id) + query)
        _ = try await settled { $0.call(call, call: $1, $2) }
    }

    /// The target that a tap on a push opens; nil for a push that names none, or is not Belfry's. Runs on the caller's
    /// actor.
    ///
    /// - Parameter userInfo: from `UNNotificationContent`, or from the app delegate's call.
    public nonisolated func pushTarget(from userInfo: [AnyHashable: Any]) -> NavigationTarget? {
        NavigationTarget(userInfo: userInfo)
    }

    private static var platform: String {
        #if os(macOS)
            "macos"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #elseif os(visionOS)
            "visionos"
        #elseif os(iOS)
            "ios"
        #else
            "other"
        #endif
    }
}
