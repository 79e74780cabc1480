import Testing

@testable import Transport

@Suite struct MailboxTests {
    let mailbox = Mailbox()

    private func append() -> Bool { mailbox.append { _ in } }

    private func takeAll() -> [Mailbox.Letter] {
        var letters: [Mailbox.Letter] = []
        mailbox.takeAll(into: &letters, looksAgain: false)
        return letters
    }

    @Test func `the first letter wakes the shard, the others until it looks do not`() {
        #expect(append())
        #expect(!append())
        #expect(takeAll().count == 2)
        #expect(append())
    }

    @Test func `a shard that is about to look is not woken`() {
        mailbox.expectOpening()
        #expect(!append())
        #expect(takeAll().count == 1)
        #expect(append())
    }

    @Test func `a shard that will look again is not woken until it is about to sleep`() {
        var letters: [Mailbox.Letter] = []
        mailbox.takeAll(into: &letters, looksAgain: true)
        #expect(!append())
        #expect(!mailbox.expectWaking())
        #expect(!append())
        mailbox.takeAll(into: &letters, looksAgain: true)
        #expect(letters.count == 2)
        #expect(mailbox.expectWaking())
        #expect(append())
    }

    @Test func `the holder of the letters wakes the shard for all of them`() {
        mailbox.hold()
        #expect(!append())
        #expect(!append())
        #expect(mailbox.release())
        #expect(!append())
        #expect(takeAll().count == 3)
    }

    @Test func `for letters that are held a shard need not stay awake`() {
        mailbox.expectOpening()
        mailbox.hold()
        #expect(!append())
        #expect(mailbox.expectWaking())
        #expect(!append())
        #expect(mailbox.release())
        #expect(!mailbox.expectWaking())
    }

    @Test func `the last one who lets go wakes it, if there is something`() {
        mailbox.hold()
        mailbox.hold()
        #expect(!append())
        #expect(!mailbox.release())
        #expect(mailbox.release())
        _ = takeAll()
        mailbox.hold()
        #expect(!mailbox.release())
    }

    @Test func `letters that are held may be read before, by a shard that is awake`() {
        mailbox.hold()
        #expect(!append())
        #expect(takeAll().count == 1)
        #expect(!mailbox.release())
        #expect(append())
    }

    @Test func `the next letters are gathered in the memory of those that were read`() {
        var letters: [Mailbox.Letter] = []
        letters.reserveCapacity(100)
        mailbox.takeAll(into: &letters, looksAgain: false)
        #expect(append())
        mailbox.takeAll(into: &letters, looksAgain: false)
        #expect(letters.count == 1)
        #expect(letters.capacity >= 100)
    }

    @Test func `a closed box takes nothing and wakes nobody`() {
        #expect(append())
        mailbox.close()
        #expect(!append())
        mailbox.hold()
        #expect(!append())
        #expect(!mailbox.release())
        #expect(takeAll().isEmpty)
    }
}
