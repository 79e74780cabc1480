import Inbox
import JSON
import Store

/// A person's current choices about the types in their trail, with the chooser of each.
struct TrailChoices: Sendable {
    private let facts: PersonFacts
    private let types: [(catalog: Catalog, type: NotificationType)]

    /// - Parameter types: their names; types that no catalog has any more are left out.
    init(_ facts: PersonFacts, types: some Sequence<String>, in catalogs: [Catalog]) {
        self.facts = facts
        self.types = Set(types).sorted().flatMap { name in
            catalogs.compactMap { catalog in catalog.notificationType(named: name).map { (catalog, $0) } }
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("types")
            json.array { json in
                for (catalog, type) in types { write(type, of: catalog, to: &json) }
            }
            // Only the person chooses these, never a catalog.
            json.member("mutes", facts.settings.mutesJSON)
            json.member("quietHours", facts.settings.json.at(["quietHours"]) ?? .null)
            if let hours = facts.settings.quietHours {
                let zone = hours.zone.map { ($0, "person") } ?? known(\.zone) ?? ("UTC", "nobody")
                json.member("quietZone", Self.json(zone))
            }
            json.member("snooze", facts.settings.json.at(["snooze"]) ?? .null)
        }
    }

    private func write(_ type: NotificationType, of catalog: Catalog, to json: inout JSONWriter) {
        let wishes = facts.settings.wishes(of: type)
        json.object { json in
            json.member("catalog", catalog.name)
            json.member("name", type.name)
            json.key("inApp")
            wishes.inApp.write(to: &json)
            json.key("push")
            wishes.push.write(to: &json)
            json.member("language", Self.json(known(\.locale) ?? (catalog.locale, "catalog")))
            json.member("zone", Self.json(known(\.zone) ?? (catalog.zone, "catalog")))
        }
    }

    /// The backend's word, or else the device's.
    private func known(_ member: (Reader) -> String?) -> (String, String)? {
        member(facts.profile).map { ($0, "backend") } ?? member(facts.device).map { ($0, "device") }
    }

    private static func json(_ choice: (value: String, chooser: String)) -> JSONValue {
        ["is": .string(choice.value), "chosenBy": .string(choice.chooser)]
    }
}

extension ChannelWishes.Wish {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("isOn", isOn)
            by.writeMembers(to: &json)
        }
    }
}
