package import JSON

/// A person's change of their settings. Of two changes of one part the later wins; other parts stay.
package enum SettingsChange: Sendable, Hashable {
    case preferences(PreferenceEdits)
    /// - Parameters:
    ///   - until: nil for a mute without an end.
    ///   - known: the kinds that can be muted, beside those of current mutes.
    case mute(ExactText, until: Timestamp?, known: SubjectKinds)
    case unmute(ExactText)
    /// Nil removes them.
    case quietHours(QuietHours?)
    /// Nil ends the snooze.
    case snooze(until: Timestamp?)
    /// Replaces all settings.
    ///
    /// - Parameter known: the kinds that can be muted, beside those of current mutes.
    case replace(UserSettings, known: SubjectKinds)
}

extension SettingsChange {
    /// - Parameter json: `{"until": "…"}`, or an empty object.
    package static func mute(
        _ subject: String, _ json: JSONValue, at now: Timestamp, known: SubjectKinds
    ) throws(PreferenceProblem) -> SettingsChange {
        let members = try SettingsMembers(json, known: ["until"])
        let until = try members.moment("until")
        let mute = try UserSettings.Mute(until: until, at: now, place: members.place(of: "until"))
        return .mute(ExactText(subject), until: mute.until, known: known)
    }

    /// - Parameter json: `{"hours": 8}` or `{"until": "…"}`.
    package static func snooze(_ json: JSONValue, at now: Timestamp) throws(PreferenceProblem) -> SettingsChange {
        let members = try SettingsMembers(json, known: ["hours", "until"])
        let snooze: Snooze
        switch (members.value("hours"), try members.moment("until")) {
        case (let hours?, nil):
            guard let number = hours.anyDouble else {
                throw .wrongType(members.place(of: "hours"), expected: "a number of hours", found: hours)
            }
            snooze = try Snooze(hours: number, at: now, place: members.place(of: "hours"))
        case (nil, let until?):
            snooze = try Snooze(until: until, at: now, place: members.place(of: "until"))
        case (nil, nil): throw .missingField("hours", in: members.place, expected: "either hours or until")
        case (_?, _?):
            throw .invalidValue(members.place(of: "until"), expected: "either hours or until, not both")
        }
        return .snooze(until: snooze.end)
    }

    /// - Parameter until: a date and time, as in JSON; nil ends the snooze.
    package static func snooze(until: String?, at now: Timestamp) throws(PreferenceProblem) -> SettingsChange {
        guard let until else { return .snooze(until: nil) }
        let place = JSONPointer().appending("until")
        return .snooze(until: try Snooze(until: Timestamp(setting: until, at: place), at: now, place: place).end)
    }
}

extension UserSettings {
    /// Makes a change, and removes mutes and snoozes that have ended.
    ///
    /// A kind of subject that is muted already may be muted again, even if the catalogs no longer know it: settings
    /// that a client has read can be put back.
    ///
    /// - Returns: whether anything has changed; if so, the revision has grown.
    /// - Throws: ``PreferenceProblem/tooManyMutes``, or an unknown kind of subject; then nothing has changed.
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
            // Mutes that have ended since the client read them are skipped.
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
