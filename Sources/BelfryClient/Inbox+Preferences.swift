public import Foundation

/// The person's preferences. Results are the `data` of the answers of the server's HTTP interface. A call without an
/// answer throws the ``BelfryError`` `network` after 30 s.
extension Inbox {
    /// All categories and types, with the person's settings for each.
    ///
    /// - Throws: a ``BelfryError``.
    public func preferences() async throws -> JSONValue { try await call("GET", "/preferences") }

    /// Changes the named settings: `["types": ["ROOM_LIKE": ["push": false]]]`; null removes a choice.
    ///
    /// - Returns: all settings as they are now.
    /// - Throws: a ``BelfryError``, such as `required_type`.
    public func preferences(_ patch: JSONValue) async throws -> JSONValue {
        try await call("PUT", "/preferences", patch)
    }

    /// `{rev, mutes: [{subject, until}]}`.
    ///
    /// - Throws: a ``BelfryError``.
    public func mutes() async throws -> JSONValue { try await call("GET", "/mutes") }

    /// Mutes a subject.
    ///
    /// - Parameters:
    ///   - subject: `kind:id`, such as `room:789`.
    ///   - until: nil for a mute without an end.
    /// - Returns: the same as ``mutes()``.
    /// - Throws: a ``BelfryError``, such as `unknown_subject_kind`.
    @discardableResult
    public func mute(_ subject: String, until: Date? = nil) async throws -> JSONValue {
        try await call("PUT", Self.mute(subject), until.map { ["until": .string(Moment.text($0))] } ?? [:])
    }

    /// Removes a mute.
    ///
    /// - Returns: the same as ``mutes()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func unmute(_ subject: String) async throws -> JSONValue { try await call("DELETE", Self.mute(subject)) }

    /// `{rev, quietHours, snooze}`.
    ///
    /// - Throws: a ``BelfryError``.
    public func quietHours() async throws -> JSONValue { try await call("GET", "/quiet-hours") }

    /// Sets or removes quiet hours.
    ///
    /// - Parameter hours: nil removes them.
    /// - Returns: the same as ``quietHours()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func quietHours(_ hours: QuietHours?) async throws -> JSONValue {
        try await call(hours == nil ? "DELETE" : "PUT", "/quiet-hours", hours?.value)
    }

    /// Allows only urgent pushes until a moment, at most 30 days ahead.
    ///
    /// - Parameter until: nil ends the snooze.
    /// - Returns: the same as ``quietHours()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func snooze(until: Date?) async throws -> JSONValue {
        try await call(until == nil ? "DELETE" : "PUT", "/snooze", until.map { ["until": .string(Moment.text($0))] })
    }

    /// Allows only urgent pushes for a number of hours, at most 720.
    ///
    /// - Returns: the same as ``quietHours()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func snooze(hours: Int) async throws -> JSONValue {
        try await call("PUT", "/snooze", ["hours": .integer(Int64(hours))])
    }

    /// The decisions about a notification, with their reasons.
    ///
    /// - Throws: a ``BelfryError``: `explain_off` from a server that does not show them to people.
    public func explain(_ id: String) async throws -> JSONValue {
        try await call("GET", "/\(RESTCall.escape(id))/explain")
    }

    private static func mute(_ subject: String) -> String { "/mutes/" + RESTCall.escape(subject) }

    private func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await settled {
            $0.call(RESTCall(method: method, path: "/api/notifications" + path, body: body), call: $1, $2)
        }
    }
}
