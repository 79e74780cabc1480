import Inbox
import JSON

/// The source of a decision, in an answer about a trail.
struct Choice {
    private let chooser: String?
    /// The scope of a person's choice: `type` or `category`.
    private let subject: String?

    /// - Parameter value: has `chosenBy`, and `choice` if that is the person.
    init(_ value: JSONValue) {
        chooser = value.at(["chosenBy"])?.string
        subject = value.at(["choice"])?.string
    }

    /// Why a person gets none.
    var nothing: String {
        switch (chooser, subject) {
        case ("person", "category"): "they have switched its category off"
        case ("person", _): "they have switched this type off"
        case ("app", _): "it is off by the app's default, and they have not switched it on"
        case ("catalog", _): "the catalog has it off for everybody"
        default: "they, or the app's default, do not want this type"
        }
    }

    /// The source in words.
    private var owner: String {
        switch (chooser, subject) {
        case ("person", let subject?): "their own choice for the \(subject.escapingControlCharacters)"
        case ("person", nil): "their own choice"
        case ("app", _): "the app's default"
        case ("catalog", _): "set by the catalog for everybody"
        case ("backend", _): "set by the backend"
        case ("device", _): "the setting of their device"
        default: "the default"
        }
    }

    /// - Parameter choices: the choices of one person, in a trail's form.
    static func lines(of choices: JSONValue, _ clock: LocalClock) -> [String] {
        var lines: [String] = []
        for type in choices.at(["types"])?.array ?? [] {
            let name = text(type, "name")
            for (channel, words) in [("inApp", "in the app"), ("push", "as a push")] {
                guard let wish = type.at([channel]) else { continue }
                lines.append("  \(name) \(words): \(wish.at(["isOn"]) == true ? "yes" : "no"), \(Choice(wish).owner)")
            }
        }
        for type in choices.at(["types"])?.array ?? [] {
            for member in ["language", "zone"] {
                guard let choice = type.at([member]) else { continue }
                let line = "  \(member) of texts: \(text(choice, "is")), \(Choice(choice).owner)"
                // Many types of a catalog, and mostly all catalogs, have the same line.
                if !lines.contains(line) { lines.append(line) }
            }
        }
        for mute in choices.at(["mutes"])?.array ?? [] {
            let end = mute.at(["until"])?.string.map { ", until \(clock.text($0).escapingControlCharacters)" } ?? ""
            lines.append("  muted by themselves: \(text(mute, "subject"))\(end)")
        }
        if let zone = choices.at(["quietZone"]) {
            lines.append("  quiet hours of their own, by the clocks of \(text(zone, "is")): \(Choice(zone).owner)")
        }
        if let until = choices.at(["snooze", "until"])?.string {
            lines.append("  snoozed by themselves until \(clock.text(until).escapingControlCharacters)")
        }
        return lines
    }

    private static func text(_ value: JSONValue, _ member: String) -> String {
        (value.at([member])?.string ?? "").escapingControlCharacters
    }
}
