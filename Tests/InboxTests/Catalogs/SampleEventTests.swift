import Inbox
import JSON
import Testing

struct SampleEventTests {
    private static let people = ["maya", "tom"].compactMap { UserID($0) }
    private static let catalog = """
        catalog: shop
        actor: [id, name]
        events:
          sold:
            routes: [{to: seller, type: SOLD}]
            sample: {actor: {id: u1, name: "Ada"}, data: {thing: "a boat"}}
          commented:
            routes: [{to: mentioned, type: MENTIONED}, {to: owner, type: COMMENTED}, {to: others, type: COMMENTED}]
            sample:
              actor: {id: u1, name: "Ada"}
              data: {text: "it's here"}
              own: {owner: {place: "Oslo"}}
          closed:
            routes: [{to: everybody, type: CLOSED}]
        types:
          SOLD: {text: "{{actor.name}} bought {{thing}}"}
          MENTIONED: {text: "{{actor.name}}: {{text}}"}
          COMMENTED: {text: "{{actor.name}} says {{text}}"}
          CLOSED: {text: "The shop {{shop}} is closed"}
        """

    private func samples(_ people: [UserID]) throws -> [SampleEvent] {
        try Catalog(yaml: Self.catalog, file: "shop.yaml").samples(to: people)
    }

    private func recipients(_ sample: SampleEvent) -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: (sample.json.at(["to"])?.object?.members ?? []).map {
                ($0.key, $0.value.array?.count ?? 0)
            })
    }

    @Test func `of one list all are recipients, of several each is in one, by turns`() throws {
        let both = try samples(Self.people)
        #expect(both.map(\.type) == ["sold", "commented", "closed"])
        #expect(both.map(recipients) == [["seller": 2], ["mentioned": 1, "owner": 1], ["everybody": 2]])
        let one = try samples(Array(Self.people.prefix(1)))
        #expect(one.map(recipients) == [["seller": 1], ["mentioned": 1], ["everybody": 1]])
    }

    @Test func `it says what the first type says, and has what a recipient alone is told`() throws {
        let samples = try samples(Self.people)
        #expect(samples.map(\.text) == ["Ada bought a boat", "Ada: it's here", "The shop shop is closed"])
        #expect(samples[1].json.at(["to", "owner"])?.array?.first?.at(["data", "place"]) == "Oslo")
        #expect(samples[1].json.at(["to", "mentioned"])?.array?.first == "maya")
    }

    @Test func `the line for a shell has no quote that would end it`() throws {
        let call = try samples(Self.people)[1].call(socket: "./data/belfry.sock")
        #expect(call.hasPrefix("curl --unix-socket ./data/belfry.sock http://belfry/v1/events -d '{"))
        #expect(call.filter { $0 == "'" }.count == 2)
        #expect(call.contains(#"it\u0027s here"#))
    }
}
