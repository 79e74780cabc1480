import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct BadgeTests {
    /// A store in which ada's phone shows these notifications, all unread; and their ids.
    private func withShown(
        _ texts: [String], yaml: String = StoreFixture.yaml, type: String = "said", provider: Device.Provider = .apns,
        _ configure: StoreFixture.Configuration = { _ in },
        _ body: (StoreFixture, [NotificationID]) async throws -> Void
    ) async throws {
        try await withStore(yaml: yaml, configure) { fixture in
            var phone = Device.phone()
            if provider == .webpush {
                phone.keys = WebPushKeys(
                    p256dh: [4] + [UInt8](repeating: 7, count: 64), auth: [UInt8](repeating: 1, count: 16))
            }
            phone.provider = provider
            try await fixture.store.register(phone, for: .ada)
            for text in texts {
                try await fixture.publish(type, text, to: .ada, at: .at(0))
                let job = try await fixture.job(of: provider, at: .at(0))
                try await fixture.store.settle(job, as: .finish)
            }
            try await body(fixture, try await fixture.ids(of: .ada).reversed())
        }
    }

    @Test func `a read elsewhere gives one push that sets the number and withdraws`() async throws {
        try await withShown(["one", "two", "three"]) { fixture, ids in
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada, at: .at(10))
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(13)])
            try await fixture.store.apply(.remove(.ids([ids[2]])), for: .ada, at: .at(11))
            #expect(try await fixture.store.leasePushJobs(at: .at(12)).nextDue == .at(13))
            let jobs = try await fixture.store.leasePushJobs(at: .at(13)).jobs
            let job = try #require(jobs.first)
            #expect(jobs.count == 1)
            #expect((job.message.content, job.message.notification, job.message.badge) == (nil, nil, 1))
            #expect(job.message.withdrawn == [ids[0].text, ids[2].text])
            #expect(job.message.collapseID == "badge")
            #expect(job.parts.map(\.notification) == [nil])
            try await fixture.store.settle(job, as: .finish, at: .at(14))
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `a device that shows nothing of ours is told nothing`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            fixture.live.connect(.ada)
            try await fixture.say("one", to: .ada)
            fixture.store.acknowledge(.ada, upTo: 1)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `a number that is right again and nothing to withdraw needs no push`() async throws {
        try await withShown(["one"]) { fixture, _ in
            // Seen live: no push, so the icon says one of two.
            fixture.live.connect(.ada)
            try await fixture.say("two", to: .ada)
            try await fixture.say("three", to: .ada)
            fixture.store.acknowledge(.ada, upTo: 3)
            try await fixture.store.apply(.read(.ids([try await fixture.ids(of: .ada)[0]])), for: .ada)
            #expect(try await fixture.statistics().pushJobs == 1)
            try await fixture.store.apply(.read(.ids([try await fixture.ids(of: .ada)[1]])), for: .ada)
            #expect(try await fixture.store.leasePushJobs(at: .at(99)).jobs.isEmpty)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `a browser gets no push that shows nothing`() async throws {
        try await withShown(["one"], provider: .webpush) { fixture, _ in
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `an icon that counts the unseen is corrected when the list is looked at`() async throws {
        let yaml = StoreFixture.yaml.replacing("catalog: tests", with: "catalog: tests\nbadge: unseen")
        try await withShown(["one", "two"], yaml: yaml) { fixture, _ in
            try await fixture.store.apply(.seen(upTo: 1), for: .ada)
            let job = try await fixture.job(at: .at(3))
            #expect((job.message.badge, job.message.withdrawn) == (1, []))
        }
    }

    @Test func `reading what is on its way corrects the icon once it has arrived`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("one", to: .ada)
            let job = try await fixture.job(at: .at(0))
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            #expect(try await fixture.statistics().pushJobs == 0)
            try await fixture.store.settle(job, as: .finish, at: .at(1))
            let badge = try await fixture.job(at: .at(4))
            #expect((badge.message.badge, badge.message.withdrawn) == (0, [job.message.collapseID]))
        }
    }

    @Test func `reading another one corrects the number that a push brings later`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            fixture.live.connect(.ada)
            try await fixture.say("seen live", to: .ada)
            fixture.store.acknowledge(.ada, upTo: 1)
            try await fixture.publish("shouted", "two", to: .ada, at: .at(0))
            let job = try await fixture.job(at: .at(0))
            #expect(job.message.badge == 2)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            try await fixture.store.settle(job, as: .finish, at: .at(1))
            let badge = try await fixture.job(at: .at(4))
            #expect((badge.message.badge, badge.message.withdrawn) == (1, []))
        }
    }

    @Test func `a push that was acknowledged on its way is shown, and withdrawn when it is read`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("one", to: .ada)
            let job = try await fixture.job(at: .at(0))
            fixture.store.acknowledge(.ada, upTo: 1)
            try await fixture.store.settle(job, as: .finish, at: .at(1))
            #expect(try await fixture.statistics().pushJobs == 0)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(1))
            let badge = try await fixture.job(at: .at(4))
            #expect((badge.message.badge, badge.message.withdrawn) == (0, [job.message.collapseID]))
        }
    }

    @Test func `a read while a correction is on its way gives another one`() async throws {
        try await withShown(["one", "two"]) { fixture, ids in
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            let first = try await fixture.job(at: .at(3))
            try await fixture.store.apply(.read(.ids([ids[1]])), for: .ada, at: .at(3))
            try await fixture.store.settle(first, as: .finish, at: .at(4))
            let second = try await fixture.job(at: .at(6))
            #expect((first.message.badge, first.message.withdrawn) == (1, [ids[0].text]))
            #expect((second.message.badge, second.message.withdrawn) == (0, [ids[1].text]))
        }
    }

    @Test func `a correction that fails is tried again with all that was gathered`() async throws {
        try await withShown(["one", "two", "three"]) { fixture, ids in
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            let first = try await fixture.job(at: .at(3))
            try await fixture.store.settle(first, as: .retry(at: .at(20)), attempt: .init(failures: 1, expiry: .at(99)))
            try await fixture.store.apply(.read(.ids([ids[1]])), for: .ada, at: .at(4))
            let again = try await fixture.job(at: .at(20))
            #expect((again.message.badge, again.message.withdrawn) == (1, [ids[0].text, ids[1].text]))
            #expect(again.attempt.failures == 1)
        }
    }

    @Test(arguments: [(Device.Provider.apns, 200, 1), (.fcm, 200, 1), (.onesignal, 200, 2)])
    func `all that was shown is withdrawn, in as many pushes as it takes and with a pause between them`(
        _ provider: Device.Provider, _ shown: Int, _ pushes: Int
    ) async throws {
        try await withShown((1...shown).map(String.init), provider: provider) { fixture, ids in
            try await fixture.store.apply(.read(.upTo(.max)), for: .ada, at: .at(10))
            var withdrawn: [[String]] = []
            for time in stride(from: Int64(13), to: 100, by: 3) {
                #expect(try await fixture.store.leasePushJobs(for: provider, at: .at(time - 1)).jobs.isEmpty)
                guard let job = try await fixture.store.leasePushJobs(for: provider, at: .at(time)).jobs.first else {
                    break
                }
                #expect(job.message.badge == 0)
                withdrawn.append(job.message.withdrawn)
                try await fixture.store.settle(job, as: .finish, at: .at(time))
            }
            #expect(withdrawn.count == pushes)
            #expect(withdrawn.joined().sorted() == ids.map(\.text).sorted())
            #expect(withdrawn.first?.last == ids.last?.text)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test(arguments: [false, true])
    func `ids that found no room are withdrawn after a failed try or a crash, too`(afterCrash: Bool) async throws {
        try await withShown((1...200).map(String.init), provider: .onesignal) { first, ids in
            try await first.store.apply(.read(.upTo(.max)), for: .ada, at: .at(10))
            let job = try await first.job(of: .onesignal, at: .at(13))
            if !afterCrash {
                let attempt = PushAttempt(failures: 1, expiry: job.attempt.expiry)
                try await first.store.settle(job, as: .retry(at: .at(20)), attempt: attempt, at: .at(14))
            }
            let fixture = afterCrash ? try await first.reopened() : first
            var withdrawn: [String] = []
            // Where other processes may have it, a lease lasts until its end.
            for time in afterCrash ? [Int64(43), 46] : [20, 23] {
                let job = try await fixture.job(of: .onesignal, at: .at(time))
                withdrawn += job.message.withdrawn
                try await fixture.store.settle(job, as: .finish, at: .at(time))
            }
            #expect(withdrawn.sorted() == ids.map(\.text).sorted())
            if afterCrash { await fixture.store.close() }
        }
    }

    @Test func `notifications that a newer push replaced on the screen go with the last of them`() async throws {
        try await withShown(["1:0", "2:0"], type: "scored") { fixture, ids in
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            let first = try await fixture.job(at: .at(3))
            #expect((first.message.badge, first.message.withdrawn) == (1, []))
            try await fixture.store.settle(first, as: .finish, at: .at(3))
            try await fixture.store.apply(.read(.ids([ids[1]])), for: .ada, at: .at(4))
            let withdrawn = try await fixture.job(at: .at(7)).message.withdrawn
            #expect(withdrawn.count == 1)
            #expect(withdrawn.first?.utf8.count == 32)
        }
    }

    @Test func `a correction survives the end of the process`() async throws {
        try await withShown(["one", "two"]) { first, ids in
            try await first.store.apply(.read(.ids([ids[0]])), for: .ada)
            let second = try await first.reopened()
            let job = try await second.job(at: .at(3))
            #expect((job.message.badge, job.message.withdrawn) == (1, [ids[0].text]))
            await second.store.close()
        }
    }
}
