public import Foundation

/// Where the person's pushes go, and what a push is about.
extension Inbox {
    /// What Apple's servers a build's tokens belong to.
    public enum PushEnvironment: String, Sendable, Hashable { case production, sandbox }

    /// What the person has chosen in the phone's settings.
    public enum PushPermission: String, Sendable, Hashable { case granted, provisional, denied }

    /// Registers this device for pushes by APNs. Call it at every launch: tokens change.
    ///
    /// - Parameters:
    ///   - token: as `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)` gets it.
    ///   - id: the app's own name for the installation, up to 200 bytes, such as `identifierForVendor`.
    ///   - app: which app it is, where the server has catalogs of several.
    ///   - environment: that of the build; nil: the server's setting decides.
    ///   - permission: a device that denies gets no pushes.
    ///   - locale: whose language pushes have.
    ///   - zone: for quiet hours without a zone.
    /// - Returns: the device, as the server has it now.
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

    /// Takes the registration back, for signing out; call it before ``close()``.
    ///
    /// - Parameters: as of ``registerDevice(token:id:app:environment:permission:locale:zone:)``.
    /// - Throws: a ``BelfryError``.
    public func unregisterDevice(id: String, app: String? = nil) async throws {
        let query = app.map { "?app=" + RESTCall.escape($0) } ?? ""
        let call = RESTCall(method: "DELETE", path: "/api/devices/" + RESTCall.escape(id) + query)
        _ = try await settled { $0.call(call, call: $1, $2) }
    }

    /// What a tap on a push opens; nil for a push that names nothing, or is not Belfry's. Runs on the caller's actor.
    ///
    /// - Parameter userInfo: of `UNNotificationContent`, or of the app delegate's call.
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
