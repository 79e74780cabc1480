public import Foundation

/// What the person wants to be told. Answers are the `data` of the server's, as its HTTP interface has them; a call
/// without an answer throws the ``BelfryError`` `network` after 30 s.
extension Inbox {
    /// All categories and types, and what holds for them.
    ///
    /// - Throws: a ``BelfryError``.
    public func preferences() async throws -> JSONValue { try await call("GET", "/preferences") }

    /// Changes what it names: `["types": ["ROOM_LIKE": ["push": false]]]`; null takes a choice back.
    ///
    /// - Returns: all of it, as it holds now.
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
    ///   - until: nil: until it is taken back.
    /// - Returns: as ``mutes()``.
    /// - Throws: a ``BelfryError``, such as `unknown_subject_kind`.
    @discardableResult
    public func mute(_ subject: String, until: Date? = nil) async throws -> JSONValue {
        try await call("PUT", Self.mute(subject), until.map { ["until": .string(Moment.text($0))] } ?? [:])
    }

    /// Takes a mute back.
    ///
    /// - Returns: as ``mutes()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func unmute(_ subject: String) async throws -> JSONValue { try await call("DELETE", Self.mute(subject)) }

    /// `{rev, quietHours, snooze}`.
    ///
    /// - Throws: a ``BelfryError``.
    public func quietHours() async throws -> JSONValue { try await call("GET", "/quiet-hours") }

    /// Sets quiet hours, or gives them up.
    ///
    /// - Parameter hours: nil: none.
    /// - Returns: as ``quietHours()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func quietHours(_ hours: QuietHours?) async throws -> JSONValue {
        try await call(hours == nil ? "DELETE" : "PUT", "/quiet-hours", hours?.value)
    }

    /// No pushes but urgent ones until a moment, at most 30 days ahead.
    ///
    /// - Parameter until: nil ends the snooze.
    /// - Returns: as ``quietHours()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func snooze(until: Date?) async throws -> JSONValue {
        try await call(until == nil ? "DELETE" : "PUT", "/snooze", until.map { ["until": .string(Moment.text($0))] })
    }

    /// No pushes but urgent ones for so many hours, at most 720.
    ///
    /// - Returns: as ``quietHours()``.
    /// - Throws: a ``BelfryError``.
    @discardableResult
    public func snooze(hours: Int) async throws -> JSONValue {
        try await call("PUT", "/snooze", ["hours": .integer(Int64(hours))])
    }

    /// What was decided about a notification, and why.
    ///
    /// - Throws: a ``BelfryError``: `not_found` from a server that does not tell this to people.
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
