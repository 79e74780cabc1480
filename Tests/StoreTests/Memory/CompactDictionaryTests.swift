import Support
import Testing

@testable import SQLiteStore
@testable import Store

struct CompactDictionaryTests {
    /// Few keys are set again and again; many make long runs of slots, in which a wrong removal would hide others.
    @Test(arguments: [1, 3, 40, 5_000])
    func `holds what a dictionary holds, whatever is set, changed and removed`(_ keyCount: Int) {
        var random = SeededRandom(seed: 7)
        var compact = CompactDictionary<Int, String>()
        var plain: [Int: String] = [:]
        for round in 0..<6 {
            for step in 0..<2_000 {
                let key = random.next(below: keyCount)
                // A key that was looked up is found sooner when it is set, and must not be another's when it is gone.
                if random.next(below: 2) == 0 { #expect(compact.value(for: key) == plain[key]) }
                let other: String? = step.isMultiple(of: 7) ? nil : "\(step)"
                let isThere = compact.update(key) { $0 == plain[key] ? other : "another's" }
                #expect(isThere == plain[key].map { _ in other != nil })
                if isThere != nil { plain[key] = other }
                // Grows in the even rounds, shrinks in the others.
                if random.next(below: 10) < (round.isMultiple(of: 2) ? 8 : 2) {
                    (compact[key], plain[key]) = ("\(round) \(step)", "\(round) \(step)")
                } else {
                    #expect(compact.removeValue(forKey: key) == plain.removeValue(forKey: key))
                }
            }
            #expect(compact.count == plain.count && compact.isEmpty == plain.isEmpty)
            #expect((0..<keyCount).allSatisfy { compact[$0] == plain[$0] })
        }
        for key in plain.keys { compact[key] = nil }
        #expect(compact.isEmpty && plain.keys.allSatisfy { compact[$0] == nil })
    }

    /// All in one run of slots, and all with the same bits beside their places.
    @Test func `tells keys apart whose hashes are equal`() {
        struct Same: Hashable {
            let name: Int
            func hash(into hasher: inout Hasher) {}
        }
        var compact = CompactDictionary<Same, Int>()
        for name in 0..<100 { compact[Same(name: name)] = name }
        for name in stride(from: 0, to: 100, by: 3) { #expect(compact.removeValue(forKey: Same(name: name)) == name) }
        #expect((0..<100).allSatisfy { compact[Same(name: $0)] == ($0.isMultiple(of: 3) ? nil : $0) })
    }

    @Test func `has room for an eighth more than it holds, not for twice as many`() {
        var compact = CompactDictionary<Int, Int>()
        var mostSpare = 0.0
        for key in 0..<100_000 {
            compact[key] = key
            if key > 10_000 { mostSpare = max(mostSpare, Double(compact.entryCapacity) / Double(compact.count)) }
        }
        // An eighth, and what malloc rounds up to.
        #expect(mostSpare < 1.16)
    }
}
