import Inbox
import Testing

/// Whose choice decides whether somebody gets a type on a channel.
struct ChannelWishesTests {
    private static let usual = ChannelPreferences()
    private static let quiet = ChannelPreferences(push: false)
    private static let secret = ChannelPreferences(inApp: false)
    private static let required = ChannelPreferences(isRequired: true)
    private static let alone = preferences(inApp: false) { $0.pushesAlone = true }
    private static let pushOnly = preferences(inApp: false) { ($0.isPushOnly, $0.pushesAlone) = (true, true) }

    private static func preferences(inApp: Bool, _ change: (inout ChannelPreferences) -> Void) -> ChannelPreferences {
        var preferences = ChannelPreferences(inApp: inApp)
        change(&preferences)
        return preferences
    }

    struct Row: Sendable {
        let preferences: ChannelPreferences
        /// The person's choice for the type, and for its category.
        var type = ChannelChoice()
        var category = ChannelChoice()
        let inApp: (Bool, Chooser)
        let push: (Bool, Chooser)
    }

    private static let rows: [Row] = [
        // A person who has chosen nothing has the app's choice.
        Row(preferences: usual, inApp: (true, .app), push: (true, .app)),
        Row(preferences: quiet, inApp: (true, .app), push: (false, .app)),
        Row(preferences: secret, inApp: (false, .app), push: (false, .app)),
        Row(preferences: alone, inApp: (false, .app), push: (true, .app)),
        Row(preferences: pushOnly, inApp: (false, .catalog), push: (true, .app)),
        Row(preferences: required, inApp: (true, .catalog), push: (true, .catalog)),
        // A person cannot refuse a type that the catalog requires, nor choose an inbox that a type has not.
        Row(
            preferences: required, type: ChannelChoice(inApp: false, push: false), inApp: (true, .catalog),
            push: (true, .catalog)),
        Row(preferences: pushOnly, type: ChannelChoice(inApp: true), inApp: (false, .catalog), push: (true, .app)),
        Row(preferences: pushOnly, type: ChannelChoice(push: false), inApp: (false, .catalog), push: (false, .type)),
        Row(
            preferences: pushOnly, category: ChannelChoice(push: false), inApp: (false, .catalog),
            push: (false, .category)),
        // A choice for the type comes before one for its category.
        Row(preferences: usual, type: ChannelChoice(push: false), inApp: (true, .app), push: (false, .type)),
        Row(preferences: usual, category: ChannelChoice(push: false), inApp: (true, .app), push: (false, .category)),
        Row(
            preferences: quiet, type: ChannelChoice(push: true), category: ChannelChoice(push: false),
            inApp: (true, .app), push: (true, .type)),
        Row(preferences: secret, type: ChannelChoice(inApp: true), inApp: (true, .type), push: (true, .app)),
        // To switch off the inbox, and to say nothing of pushes, is to switch off both.
        Row(preferences: usual, type: ChannelChoice(inApp: false), inApp: (false, .type), push: (false, .type)),
        Row(
            preferences: usual, category: ChannelChoice(inApp: false), inApp: (false, .category),
            push: (false, .category)),
        Row(
            preferences: usual, type: ChannelChoice(push: true), category: ChannelChoice(inApp: false),
            inApp: (false, .category), push: (true, .type)),
        // Somebody who chooses what the app has anyway has chosen it.
        Row(preferences: secret, type: ChannelChoice(push: false), inApp: (false, .app), push: (false, .type)),
        Row(preferences: usual, type: ChannelChoice(inApp: true), inApp: (true, .type), push: (true, .app)),
    ]

    @Test(arguments: rows.indices)
    func `each channel is the person's choice, the app's default, or required`(_ index: Int) {
        let row = Self.rows[index]
        var settings = UserSettings()
        settings.types[ExactText("SAID")] = row.type
        settings.categories[ExactText("talk")] = row.category
        let wishes = settings.wishes(of: "SAID", in: "talk", row.preferences)
        #expect(wishes.inApp == .init(row.inApp.0, by: row.inApp.1), "\(row)")
        #expect(wishes.push == .init(row.push.0, by: row.push.1), "\(row)")
        // Neither another type's choice nor another category's counts.
        let others = settings.wishes(of: "LIKED", in: "praise", row.preferences)
        #expect(![others.inApp.by, others.push.by].contains { [.type, .category].contains($0) })
    }
}
