import Inbox
import JSON
import Store
import Testing

@testable import Gateway

/// The trail tells whose choice decided about a notification.
struct TrailChoicesTests {
    private static func catalog() throws -> Catalog {
        let yaml = """
            catalog: tests
            locale: fr
            zone: Europe/Paris
            actor: [id]
            categories: {talk: {title: Talk}}
            events: {said: {routes: [{to: people, type: SAID}]}, warned: {routes: [{to: people, type: WARNED}]}}
            types:
              SAID: {category: talk, text: said, push: {title: Said, body: "{{text}}"}}
              WARNED: {text: warned, preferences: {required: true}, push: {title: Warned, body: "{{text}}"}}
            """
        return try Catalog(yaml: yaml, file: "tests.yaml")
    }

    private static func told(
        _ settings: JSONValue = [:], profile: Reader = Reader(), device: Reader = Reader()
    ) throws -> JSONValue {
        let facts = PersonFacts(settings: try UserSettings(settings), profile: profile, device: device)
        // A type may come many times, and may be gone from the catalogs.
        let names = ["WARNED", "SAID", "SAID", "FORGOTTEN"]
        var json = JSONWriter()
        TrailChoices(facts, types: names, in: [try catalog()]).write(to: &json)
        return try JSONValue(parsing: json.bytes)
    }

    @Test func `a person without choices has the catalog's defaults and requirements`() throws {
        #expect(
            try Self.told() == [
                "types": [
                    [
                        "catalog": "tests", "name": "SAID", "inApp": ["isOn": true, "chosenBy": "app"],
                        "push": ["isOn": true, "chosenBy": "app"], "language": ["is": "fr", "chosenBy": "catalog"],
                        "zone": ["is": "Europe/Paris", "chosenBy": "catalog"],
                    ],
                    [
                        "catalog": "tests", "name": "WARNED", "inApp": ["isOn": true, "chosenBy": "catalog"],
                        "push": ["isOn": true, "chosenBy": "catalog"], "language": ["is": "fr", "chosenBy": "catalog"],
                        "zone": ["is": "Europe/Paris", "chosenBy": "catalog"],
                    ],
                ],
                "mutes": [], "quietHours": .null, "snooze": .null,
            ])
    }

    @Test func `a choice of the person's says what it is for`() throws {
        let said = try Self.told([
            "preferences": ["types": ["SAID": ["push": false]], "categories": ["talk": ["inApp": true]]]
        ]).at(["types"])?.array?.first
        #expect(said?.at(["inApp"]) == ["isOn": true, "chosenBy": "person", "choice": "category"])
        #expect(said?.at(["push"]) == ["isOn": false, "chosenBy": "person", "choice": "type"])
    }

    @Test func `mutes, quiet hours and the snooze are told as the person has chosen them`() throws {
        let hours: JSONValue = ["zone": .null, "windows": [["days": ["mon"], "from": "22:00", "to": "07:00"]]]
        let settings: JSONValue = [
            "mutes": [["subject": "room:7", "until": .null]], "quietHours": hours,
            "snooze": ["until": "2026-11-21T15:14:06.379Z"],
        ]
        let told = try Self.told(settings)
        #expect(told.at(["mutes"]) == settings.at(["mutes"]))
        #expect(told.at(["quietHours"]) == hours)
        #expect(told.at(["snooze"]) == settings.at(["snooze"]))
    }

    /// The zone of the quiet hours themselves, what the backend says, how the device is set, and whose word counts.
    @Test(
        arguments: [
            ("Asia/Tokyo", "Europe/Berlin", "Europe/Rome", "Asia/Tokyo", "person"),
            (nil, "Europe/Berlin", "Europe/Rome", "Europe/Berlin", "backend"),
            (nil, nil, "Europe/Rome", "Europe/Rome", "device"), (nil, nil, nil, "UTC", "nobody"),
        ] as [(String?, String?, String?, String, String)])
    func `quiet hours go by the clocks that the first one has named of person, backend and device`(
        own: String?, backend: String?, device: String?, zone: String, chooser: String
    ) throws {
        let windows: JSONValue = [["days": ["mon"], "from": "22:00", "to": "07:00"]]
        let told = try Self.told(
            ["quietHours": ["zone": own.map { .string($0) } ?? .null, "windows": windows]],
            profile: Reader(zone: backend), device: Reader(zone: device))
        #expect(told.at(["quietZone"]) == ["is": .string(zone), "chosenBy": .string(chooser)])
    }

    @Test(
        arguments: [("de", "it", "de", "backend"), (nil, "it", "it", "device"), (nil, nil, "fr", "catalog")]
            as [(String?, String?, String, String)])
    func `texts are in the language that the backend says, else the device's, else the catalog's`(
        backend: String?, device: String?, language: String, chooser: String
    ) throws {
        let told = try Self.told(profile: Reader(locale: backend), device: Reader(locale: device))
        let said = told.at(["types"])?.array?.first
        #expect(said?.at(["language"]) == ["is": .string(language), "chosenBy": .string(chooser)])
    }
}
