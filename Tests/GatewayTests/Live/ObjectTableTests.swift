import Testing

@testable import Gateway

struct ObjectTableTests {
    private final class Guest: Keyed {
        private var name: String?
        init(_ key: String) { name = key }

        var key: String {
            guard let name else { preconditionFailure("a guest who has left has no name") }
            return name
        }

        func has(_ key: String) -> Bool { name == key }
        func leave(_ table: inout ObjectTable<Guest>) {
            table.remove(self)
            name = nil
        }
    }

    private func numbers(_ guests: [Guest]) -> Set<ObjectIdentifier> { Set(guests.map { ObjectIdentifier($0) }) }

    @Test func `finds all objects of a key, and no others`() {
        var table = ObjectTable<Guest>()
        let (renee, sarah, other) = (Guest("renee"), Guest("sarah"), Guest("renee"))
        #expect(table["renee"].isEmpty)
        for guest in [renee, sarah, other] { table.insert(guest) }
        #expect(numbers(table["renee"]) == numbers([renee, other]))
        #expect(numbers(table["sarah"]) == numbers([sarah]))
        #expect(table["pete"].isEmpty)
        table.remove(renee)
        #expect(numbers(table["renee"]) == numbers([other]))
        table.remove(renee)
        #expect(table.count == 2)
    }

    /// Few keys for many objects make long runs of slots, in which a wrong removal would hide others.
    @Test(arguments: [1, 3, 40, 5_000])
    func `holds what a plain list holds, whoever comes and goes`(_ keyCount: Int) {
        var random = SystemRandomNumberGenerator()
        var table = ObjectTable<Guest>()
        var list: [Guest] = []
        for round in 0..<6 {
            for _ in 0..<400 {
                // Grows in the even rounds, shrinks in the others.
                if list.isEmpty || Int.random(in: 0..<10, using: &random) < (round.isMultiple(of: 2) ? 8 : 2) {
                    let guest = Guest("guest-\(Int.random(in: 0..<keyCount, using: &random))")
                    table.insert(guest)
                    list.append(guest)
                } else {
                    table.remove(list.remove(at: Int.random(in: 0..<list.count, using: &random)))
                }
            }
            #expect(table.count == list.count)
            for (key, guests) in Dictionary(grouping: list, by: \.key) {
                #expect(numbers(table[key]) == numbers(guests))
            }
        }
        for guest in list { table.remove(guest) }
        #expect(table.count == 0 && list.allSatisfy { table[$0.key].isEmpty })
    }

    @Test func `takes little room for each object, and gives it back`() {
        var table = ObjectTable<Guest>()
        let guests = (0..<3_000).map { Guest("guest-\($0)") }
        for guest in guests { table.insert(guest) }
        #expect(table.slotCount == 4_096)
        for guest in guests[10...] { table.remove(guest) }
        #expect(table.slotCount <= 128)
        #expect(guests[..<10].allSatisfy { table[$0.key].count == 1 })
    }

    @Test func `objects may leave while they are called one by one`() {
        var table = ObjectTable<Guest>()
        let guests = (0..<20).map { _ in Guest("renee") }
        for guest in guests { table.insert(guest) }
        var called = 0
        let asked = table
        asked.forEach(of: "renee") { guest in
            table.remove(guest)
            called += 1
        }
        #expect(called == 20 && table.count == 0)
    }

    @Test func `an object that has left by its turn is not called`() {
        var table = ObjectTable<Guest>()
        let guests = (0..<20).map { Guest($0 < 10 ? "renee" : "sarah") }
        for guest in guests { table.insert(guest) }
        var called: [Guest] = []
        let asked = table
        asked.forEach(of: "renee") { guest in
            called.append(guest)
            for other in guests[..<10] where other !== guest { other.leave(&table) }
        }
        #expect(called.count == 1 && numbers(called) == numbers(table["renee"]))
        #expect(table["sarah"].count == 10)
    }
}
