import Inbox
import JSON
import Testing

struct BatchTests {
    private let type: NotificationType

    init() throws { type = try #require(try Rooms.catalog().notificationType(named: "ELEMENT_ADDED")) }

    private func event(_ kinds: [String], thumbnails: Bool = true) -> Event {
        var event = Rooms.elementAdded(kinds)
        guard thumbnails else { return event }
        event.data["elements"] = .array(
            kinds.enumerated().map { ["kind": .string($1), "thumbnailUrl": .string("https://x/\($1)\($0)")] })
        return event
    }

    private func grown(_ events: [(event: Event, time: Timestamp)]) throws -> Content {
        var content: Content?
        for (event, time) in events {
            content = type.content(for: event, at: time, growing: content?.batch)
        }
        return try #require(content)
    }

    @Test func `twenty-three elements of many events are one sentence with five thumbnails`() throws {
        let kinds = Array(repeating: "photo", count: 20) + Array(repeating: "video", count: 3)
        let events = kinds.enumerated().map { (event([$1]), Timestamp(milliseconds: Int64($0) * 1_000)) }
        let content = try grown(events)
        #expect(content.displayText == "renee added 20 photos and 3 videos to Awesome Fun")
        #expect(try content.members["batchCount"] == 23)
        #expect(try content.members["thumbnails"]?.array?.count == 5)
        #expect(content.batch?.earliest == Timestamp(milliseconds: 0))
        #expect(content.batch?.latest == Timestamp(milliseconds: 22_000))
    }

    @Test func `events in any order give the same text`() throws {
        let events = [
            (event(["photo", "note"]), Timestamp(milliseconds: 1_000)),
            (event(["video", "audio"]), Timestamp(milliseconds: 1_000)),
            (event(["note", "photo", "photo"]), Timestamp(milliseconds: 500)),
            (event(["audio"]), Timestamp(milliseconds: 2_000)),
        ]
        let expected = try grown(events)
        #expect(expected.displayText == "renee added 2 notes, 3 photos, a video and 2 audio recordings to Awesome Fun")
        for order in permutations(events) {
            let content = try grown(order)
            #expect(content.displayText == expected.displayText)
            #expect(content.batch?.tallies == expected.batch?.tallies)
            #expect(content.batch?.earliest == expected.batch?.earliest)
            #expect(content.batch?.latest == expected.batch?.latest)
        }
    }

    private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        if elements.count < 2 { return [elements] }
        return elements.indices.flatMap { index -> [[Element]] in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    @Test func `a batch that grows leaves the content before it as it was`() throws {
        let first = type.content(for: event(["photo"]), at: Timestamp(milliseconds: 0), growing: nil)
        _ = type.content(for: event(["photo"]), at: Timestamp(milliseconds: 1), growing: first.batch)
        #expect(first.displayText == "renee added a photo to Awesome Fun")
        #expect(first.batch?.count == 1)
    }

    @Test func `a grown notification speaks of the room as its last event does`() throws {
        var renamed = event(["photo"])
        renamed.data["room"] = Rooms.room("room-789", "Awesomer Fun")
        let content = try grown([
            (event(["photo"]), Timestamp(milliseconds: 0)), (renamed, Timestamp(milliseconds: 1)),
        ])
        #expect(content.displayText == "renee added 2 photos to Awesomer Fun")
    }

    @Test func `elements without a thumbnail are counted but not shown`() throws {
        let content = try Rooms.catalog().content(event(["photo", "note"], thumbnails: false))
        #expect(try content.members["thumbnails"] == [])
        #expect(try content.members["batchCount"] == 2)
    }

    @Test func `a thumbnail is one of a photo or a video, whatever else came with a picture`() throws {
        let content = try Rooms.catalog().content(event(["note", "photo", "audio", "video"]))
        #expect(
            try content.members["thumbnails"] == [
                ["url": "https://x/photo1", "type": "PHOTO"], ["url": "https://x/video3", "type": "VIDEO"],
            ])
        #expect(try content.members["batchCount"] == 4)
        #expect(content.displayText == "renee added a note, a photo, an audio recording and a video to Awesome Fun")
    }

    @Test func `a batch is of one type, one actor and one room, and no two of them share a key`() throws {
        let key = try #require(type.batchKey(for: event(["photo"])))
        #expect(type.batchKey(for: event(["video", "video"])) == key)
        var other = event(["photo"])
        other.data["room"] = Rooms.room("room-790", "Awesome Fun")
        #expect(type.batchKey(for: other) != key)
        other = event(["photo"])
        other.actor?["id"] = "user-457"
        #expect(type.batchKey(for: other) != key)
        // Joined without care these two would read the same.
        var left = event(["photo"])
        left.actor?["id"] = #"a","b"#
        left.data["room"] = Rooms.room("c", "")
        var right = event(["photo"])
        right.actor?["id"] = "a"
        right.data["room"] = Rooms.room(#"b","c"#, "")
        #expect(type.batchKey(for: left) != type.batchKey(for: right))
    }

    @Test func `only the batched type has a window`() throws {
        let catalog = try Rooms.catalog()
        for name in catalog.typeNames {
            let type = try #require(catalog.notificationType(named: name))
            #expect(type.batchWindow == (name == "ELEMENT_ADDED" ? .seconds(300) : nil))
        }
        #expect(catalog.notificationType(named: "MENTION")?.batchKey(for: event(["photo"])) == nil)
    }

    @Test(
        arguments: [
            (0, 0, 299_999, true), (0, 0, 300_000, false), (10_000, 20_000, -279_999, true),
            (10_000, 20_000, -280_000, false),
        ] as [(Int64, Int64, Int64, Bool)])
    func `a batch spans less than its window`(_ earliest: Int64, _ latest: Int64, _ time: Int64, _ admits: Bool) {
        let batch = Batch(
            tallies: [], samples: [], earliest: Timestamp(milliseconds: earliest),
            latest: Timestamp(milliseconds: latest))
        #expect(batch.admits(Timestamp(milliseconds: time), window: .seconds(300)) == admits)
    }

    @Test func `a batch survives the store's form`() throws {
        let batch = try #require(
            try grown([
                (event(["photo", "video"]), Timestamp(milliseconds: -5)), (event(["note"]), Timestamp(milliseconds: 9)),
            ]).batch)
        #expect(Batch(json: try JSONValue(parsing: batch.json.encoded)) == batch)
    }

    @Test(arguments: [
        "[]", "{}", #"{"tallies":[["photo"]],"samples":[],"earliest":0,"latest":0}"#,
        #"{"tallies":[],"samples":[],"earliest":"0","latest":0}"#,
        // Numbers whose sums and differences would not fit.
        #"{"tallies":[["photo",9223372036854775807,0,0]],"samples":[],"earliest":0,"latest":0}"#,
        #"{"tallies":[["photo",1,9223372036854775807,0]],"samples":[],"earliest":0,"latest":0}"#,
        #"{"tallies":[],"samples":[],"earliest":-9223372036854775808,"latest":0}"#,
        #"{"tallies":[],"samples":[],"earliest":0,"latest":9223372036854775807}"#,
    ])
    func `JSON that is no batch is not read as one`(_ text: String) throws {
        #expect(Batch(json: try JSONValue(parsing: text)) == nil)
    }
}
