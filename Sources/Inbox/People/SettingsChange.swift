package import JSON

/// What a person changes of their settings. The later of two changes of one part wins; other parts stay.
package enum SettingsChange: Sendable, Hashable {
    case preferences(PreferenceEdits)
    /// - Parameters:
    ///   - until: nil until it is taken back.
    ///   - known: what can be muted, beside what is.
    case mute(ExactText, until: Timestamp?, known: SubjectKinds)
    case unmute(ExactText)
    /// Nil for none.
    case quietHours(QuietHours?)
    /// Nil for an end of it.
    case snooze(until: Timestamp?)
    /// All of them at once.
    ///
    /// - Parameter known: what can be muted, beside what is.
    case replace(UserSettings, known: SubjectKinds)
}

extension SettingsChange {
    /// Longer is no snooze: whoever wants that switches pushes off.
    package static let longestSnooze = Duration.seconds(30 * 86_400)

    /// - Parameter json: `{"until": "…"}`, or an empty object.
    package static func mute(
        _ subject: String, _ json: JSONValue, at now: Timestamp, known: SubjectKinds
    ) throws(PreferenceProblem) -> SettingsChange {
        let members = try SettingsMembers(json, known: ["until"])
        let until = try members.moment("until")
        if let until, until <= now {
            throw .invalidValue(members.place(of: "until"), expected: "a moment to come")
        }
        return .mute(ExactText(subject), until: until, known: known)
    }

    /// - Parameter json: `{"hours": 8}` or `{"until": "…"}`.
    package static func snooze(_ json: JSONValue, at now: Timestamp) throws(PreferenceProblem) -> SettingsChange {
        let members = try SettingsMembers(json, known: ["hours", "until"])
        let limit = longestSnooze.components.seconds / 3_600
        let end: Timestamp
        switch (members.value("hours"), try members.moment("until")) {
        case (let hours?, nil):
            guard let number = hours.anyDouble else {
                throw .wrongType(members.place(of: "hours"), expected: "a number of hours", found: hours)
            }
            guard number > 0, number <= Double(limit) else {
                throw .invalidValue(members.place(of: "hours"), expected: "more than 0 and at most \(limit) hours")
            }
            end = now + .milliseconds(Int64(number * 3_600_000))
        case (nil, let until?):
            guard until > now, until <= now + longestSnooze else {
                throw .invalidValue(
                    members.place(of: "until"), expected: "a moment to come, within \(limit) hours from now")
            }
            end = until
        case (nil, nil): throw .missingField("hours", in: members.place, expected: "either hours or until")
        case (_?, _?):
            throw .invalidValue(members.place(of: "until"), expected: "either hours or until, not both")
        }
        return .snooze(until: end)
    }
}

extension UserSettings {
    /// Makes a change, and forgets what is over.
    ///
    /// Kinds of subjects that are muted already may be muted again, though the catalogs know them no more: settings
    /// that were read can be put back.
    ///
    /// - Returns: whether anything is different now; then the revision has grown.
    /// - Throws: ``PreferenceProblem/tooManyMutes``, or a kind of subject that is not known; nothing has changed then.
    package mutating func apply(_ change: SettingsChange, at now: Timestamp) throws(PreferenceProblem) -> Bool {
        var settings = self
        switch change {
        case .preferences(let edits):
            for (name, edit) in edits.types { settings.types[name] = edit.applied(to: settings.types[name]) }
            for (name, edit) in edits.categories {
                settings.categories[name] = edit.applied(to: settings.categories[name])
            }
        case .mute(let subject, let until, let known):
            try known.check([subject], muted: mutedSubjects(at: now), at: JSONPointer())
            settings.mutes[subject] = Mute(until: until)
        case .unmute(let subject): settings.mutes[subject] = nil
        case .quietHours(let hours): settings.quietHours = hours
        case .snooze(let until): settings.snoozedUntil = until
        case .replace(let others, let known):
            // A mute may have ended since it was read, and is not looked at then.
            try known.check(
                others.mutedSubjects(at: now), muted: mutedSubjects(at: now), at: JSONPointer().appending("mutes"))
            settings = others
        }
        settings.mutes = settings.mutes.filter { $0.value.holds(at: now) }
        if let end = settings.snoozedUntil, end <= now { settings.snoozedUntil = nil }
        if settings.quietHours?.windows.isEmpty ?? false, settings.quietHours?.zone == nil { settings.quietHours = nil }
        guard settings.mutes.count <= Self.maximumMutes else { throw .tooManyMutes }
        settings.revision = revision
        guard settings != self else { return false }
        settings.revision += 1
        self = settings
        return true
    }

    private func mutedSubjects(at now: Timestamp) -> some Sequence<ExactText> {
        mutes.lazy.filter { $0.value.holds(at: now) }.map(\.key)
    }
}
