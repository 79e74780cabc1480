import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct PushMarkTests {
    private static let collapseIDs: [String?] = [
        nil, "", "4-1", "match 7", "nul\u{0}byte", "e\u{301}ß🔔", String(repeating: "x", count: 127),
        String(repeating: "é", count: 200),
    ]
    private static let times: [Int64?] = [nil, 0, 1, 127, 128, 1_000_000_000_000, .max, -1, .min]
    private static let notifications: [Int64] = [
        0, 1, 127, 128, PushJobNumber.notifications.upperBound, .max, -1, .min,
    ]

    private static let all: [PushMark] = ProviderList.standard.flatMap { provider in
        collapseIDs.flatMap { collapse in
            times.flatMap { time in
                notifications.map { notification in
                    PushMark(
                        notification: notification, provider: provider, collapse: collapse,
                        sentAt: time.map(Timestamp.init(milliseconds:)))
                }
            }
        }
    }

    /// Of each shape one: with and without a collapse id and a time.
    private static let shapes = [
        PushMark(notification: 300, provider: .webpush),
        PushMark(notification: 1, provider: .apns, sentAt: .at(0)),
        PushMark(notification: 2, provider: .fcm, collapse: "3-ß"),
        PushMark(notification: 0, provider: .onesignal, collapse: "", sentAt: Timestamp(milliseconds: 0)),
        PushMark(notification: 9, provider: .apns, collapse: "match 7", sentAt: .at(7)),
    ]

    // MARK: Whole ones

    @Test func `all parts of a mark come back from its bytes`() {
        for mark in Self.all {
            let read = [PushMark](bytes: [mark].bytes, of: .standard)
            #expect(read == [mark])
            // Strings are equal whose octets are not.
            #expect(read?.first?.collapse.map { Array($0.utf8) } == mark.collapse.map { Array($0.utf8) })
        }
    }

    @Test func `marks that follow each other are told apart`() {
        #expect([PushMark](bytes: Self.all.bytes, of: .standard) == Self.all)
        #expect([PushMark](bytes: [], of: .standard) == [])
    }

    @Test func `an ordinary mark takes no more than a dozen bytes`() {
        let mark = PushMark(notification: 100_000, provider: .fcm, sentAt: .at(0))
        #expect([mark].bytes.count <= 12)
    }

    @Test func `each provider keeps the number under which stored marks and places have it`() {
        let stored: [Device.Provider: Int] = [.apns: 0, .fcm: 1, .onesignal: 2, .webpush: 3]
        for provider in ProviderList.standard {
            #expect(provider.place == stored[provider])
            #expect(ProviderList.standard[place: provider.place] == provider)
            #expect(ProviderList.standard[name: provider.name] == provider)
        }
        for place in [-1, stored.count, 15] { #expect(ProviderList.standard[place: place] == nil) }
    }

    // MARK: Damaged ones

    @Test func `of marks that are cut off somewhere, all are readable only between two of them`() {
        let bytes = Self.shapes.bytes
        let ends = Self.shapes.indices.map { [PushMark](Self.shapes.prefix($0)).bytes.count }
        for length in bytes.indices {
            let read = [PushMark](bytes: Array(bytes.prefix(length)), of: .standard)
            #expect(read == ends.firstIndex(of: length).map { Array(Self.shapes.prefix($0)) })
        }
    }

    @Test func `a head that says what no head says is damaged`() {
        for mark in Self.shapes {
            let bytes = [mark].bytes
            for head in UInt8.min...UInt8.max where head & 0xC0 != 0 || head & 0x0F > 3 {
                #expect([PushMark](bytes: [head] + bytes.dropFirst(), of: .standard) == nil)
            }
        }
    }

    @Test(arguments: [4, 100, UInt64(Int.max), UInt64(Int.max) + 1, .max])
    func `a collapse id that is longer than what is left is damaged`(_ length: UInt64) {
        var bytes: [UInt8] = [0x10, 1]
        bytes.appendVarint(length)
        #expect([PushMark](bytes: bytes + Array("abc".utf8), of: .standard) == nil)
    }

    @Test func `no change of a byte traps, and what can be read can be written`() {
        let bytes = Self.shapes.bytes
        for place in bytes.indices {
            for value in UInt8.min...UInt8.max {
                var changed = bytes
                changed[place] = value
                guard let marks = [PushMark](bytes: changed, of: .standard) else { continue }
                #expect([PushMark](bytes: marks.bytes, of: .standard) == marks)
            }
        }
    }
}

struct VarintTests {
    @Test func `a number of whatever length comes back, and what follows it stays`() {
        let numbers = (0..<64).flatMap { [UInt64(1) << $0, (UInt64(1) << $0) &- 1] } + [.max]
        for number in numbers {
            var bytes: [UInt8] = []
            bytes.appendVarint(number)
            #expect(bytes.count == max(1, (64 - number.leadingZeroBitCount + 6) / 7))
            var rest = (bytes + [7])[...]
            #expect(rest.takeVarint() == number)
            #expect(Array(rest) == [7])
        }
    }

    @Test(
        arguments: [
            [], [0x80], [UInt8](repeating: 0x80, count: 9), [UInt8](repeating: 0x80, count: 10) + [0],
            // A bit more than a number has.
            [UInt8](repeating: 0xFF, count: 9) + [2], [UInt8](repeating: 0x80, count: 9) + [0x7F],
        ] as [[UInt8]])
    func `bytes that are cut off or too long are no number`(_ bytes: [UInt8]) {
        var rest = bytes[...]
        #expect(rest.takeVarint() == nil)
    }
}
