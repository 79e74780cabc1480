import GRDB
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// The effect of rows that hold nonsense on their own people, and on others.
struct DamagedRowTests {
    @Sendable private static func say(_ fixture: StoreFixture) async throws {
        for text in ["one", "two", "three"] { try await fixture.say(text, to: .ada, .bob) }
    }

    @Test(arguments: [
        "content SET text = CAST(x'74FF6F' AS TEXT) WHERE text = 'two'",
        "content SET body = x'FF' WHERE text = 'two'",
        "content SET body = CAST(substr(body, 2) AS BLOB) WHERE text = 'two'",
        "content SET push = x'7B' WHERE text = 'two'",
        "notification SET content = 77 WHERE id = 2",
        "notification SET created_at = -9223372036854775808 WHERE id = 2",
        "notification SET is_seen = 64 WHERE id = 2",
        "notification SET rev = 9223372036854775807 WHERE id = 2",
        "notification SET fresh_from = CAST(x'FF' AS TEXT) WHERE id = 2",
    ])
    func `a damaged notification is left out of lists, and told once`(_ damage: String) async throws {
        try await Damage("UPDATE \(damage)", before: Self.say).meet { fixture, told in
            for _ in 0..<2 {
                let page = try await fixture.store.page(of: .ada)
                #expect(page.texts == ["three", "one"])
                #expect(!page.hasMore)
                #expect(
                    try await fixture.store.groups(of: .ada).groups.map(\.latest.content.displayText) == [
                        "three", "one",
                    ])
            }
            #expect(told.rows.count == 1 && fixture.store.damagedRows == 1)
            // One at a time, nobody waits in front of it.
            let first = try await fixture.store.page(limit: 1, of: .ada)
            let second = try await fixture.store.page(.behind(try #require(first.end)), limit: 1, of: .ada)
            let third = try await fixture.store.page(.behind(try #require(second.end)), limit: 1, of: .ada)
            #expect([first, second, third].map(\.texts) == [["three"], [], ["one"]])
            #expect([first, second, third].map(\.hasMore) == [true, true, false])
            // Earlier notifications are told by a reset, and new ones go on.
            let epoch = first.state.epoch
            let recovery = try await fixture.store.recover(.ada, from: InboxPosition(epoch: epoch, seq: 0))
            guard case .reset(let notifications) = recovery.result else { throw StoreError.closed }
            #expect(notifications.map(\.content.displayText) == ["three", "one"])
            try await fixture.say("four", to: .ada, .bob)
            #expect(try await fixture.texts(of: .ada) == ["four", "three", "one"])
            // It can be read and removed as all others.
            try await fixture.store.apply(.read(.upTo(9)), for: .ada)
            #expect(try await fixture.store.state(of: .ada).unread == 0)
            try await fixture.store.apply(.remove(.upTo(9)), for: .ada)
            #expect(try await fixture.store.state(of: .ada).total == 0)
        }
    }

    @Test func `a damaged push goes, and others' leave`() async throws {
        let damages = [
            "content SET push = x'FF' WHERE text = 'one'",
            "push_job SET expiry = 9223372036854775807 WHERE number >> 34 = 1",
            "push_job SET collapse = CAST(x'FF' AS TEXT) WHERE number >> 34 = 1",
            "device SET token = CAST(x'FF' AS TEXT) WHERE row = 1", "device SET provider = 'nobody' WHERE row = 1",
            "inbox SET settings = '{' WHERE user = 'ada'", "inbox SET user = '' WHERE user = 'ada'",
        ]
        for damage in damages {
            try await Damage(
                "UPDATE \(damage)",
                before: { fixture in
                    try await fixture.store.register(.phone(), for: .ada)
                    try await fixture.store.register(.phone(token: "token-2"), for: .bob)
                    try await fixture.say("one", to: .ada)
                    try await fixture.say("two", to: .bob)
                }
            ).meet { fixture, told in
                let bodies = try await fixture.store.leasePushJobs(at: .at(60)).jobs.map(\.body)
                #expect(bodies.contains("two"), "\(damage)")
                #expect(told.rows.count == 1, "\(damage): \(told.rows)")
            }
        }
    }

    @Test func `a damaged device is in no list, and is well again once it registers`() async throws {
        try await Damage(
            "UPDATE device SET token = CAST(x'FF' AS TEXT) WHERE id = 'phone'",
            before: { fixture in
                try await fixture.store.register(.phone(), for: .ada)
                try await fixture.store.register(.phone("pad", token: "token-2"), for: .ada)
            }
        ).meet { fixture, told in
            #expect(try await fixture.store.devices(of: .ada).map(\.id) == ["pad"])
            try await fixture.say("hi", to: .ada)
            #expect(try await fixture.job(at: .at(60)).device.id == "pad")
            try await fixture.store.register(.phone(), for: .ada)
            #expect(try await Set(fixture.store.devices(of: .ada).map(\.id)) == ["pad", "phone"])
            #expect(told.rows == [DamagedRow(table: "device", key: "1")])
        }
    }

    @Test func `choices and a profile that are damaged count as none, until they are made anew`() async throws {
        try await Damage(
            "UPDATE inbox SET settings = '[', profile = CAST(x'7BFF' AS TEXT) WHERE user = 'ada'",
            before: { fixture in
                let profile = try UserProfile(json: ["locale": "de"])
                for user in [UserID.ada, .bob] { try await fixture.store.write(profile, of: user) }
            }
        ).meet { fixture, told in
            #expect(try await fixture.store.settings(of: .ada).isUsual)
            #expect(try await fixture.store.profile(of: .ada) == nil)
            #expect(try await fixture.store.profile(of: .bob) != nil)
            try await fixture.say("hi", to: .ada, .bob)
            #expect(try await fixture.texts(of: .ada) == ["hi"])
            try await fixture.store.write(UserProfile(json: ["locale": "fr"]), of: .ada)
            #expect(try await fixture.store.profile(of: .ada) != nil)
            #expect(told.rows == [DamagedRow(table: "inbox", key: "1")])
        }
    }

    @Test func `a batch whose content is damaged begins anew`() async throws {
        try await Damage(
            "UPDATE content SET batch = x'5B'", before: { try await $0.add(1, to: .ada) }
        ).meet { fixture, _ in
            let outcome = try await fixture.add(2, to: .ada)
            #expect((outcome.created, outcome.updated) == (1, 0))
            #expect(try await fixture.texts(of: .ada) == ["renee added 2 things"])
        }
    }

    @Test(arguments: ["CAST(x'7B22FF227D' AS BLOB)", "x'7B'", "x''"])
    func `a damaged item of a feed is passed over, one page after the other`(_ json: String) async throws {
        try await Damage(
            "UPDATE feed_item SET json = \(json) WHERE offset IN (2, 3)",
            before: { fixture in for number in 1...5 { try await fixture.store.append("\(number)", to: "posts") } }
        ).meet { fixture, told in
            let all = try await fixture.store.items(of: "posts", .newest)
            #expect(all.items.map(\.offset) == [1, 4, 5])
            var (place, seen) = (FeedPosition(epoch: all.head.epoch, offset: 0), [Int64]())
            for _ in 0..<6 {
                let page = try await fixture.store.items(of: "posts", .after(place), limit: 1)
                seen += page.items.map(\.offset)
                place = FeedPosition(epoch: place.epoch, offset: page.end)
            }
            #expect(seen == [1, 4, 5] && place.offset == 5)
            #expect(Set(told.rows) == Set([2, 3].map { DamagedRow(table: "feed_item", key: "1, \($0)") }))
        }
    }

    @Test func `a group whose newest notification is damaged shows the next one`() async throws {
        try await Damage(
            "UPDATE content SET body = x'00' WHERE id = 2", yaml: QuietTypes.yaml,
            before: { fixture in
                for text in ["one", "two"] { _ = try await fixture.publish(fixture.entry("asked", text, to: [.ada])) }
            }
        ).meet { fixture, _ in
            let groups = try await fixture.store.groups(of: .ada).groups
            #expect(groups.map(\.latest.content.displayText) == ["one"])
        }
    }
}
