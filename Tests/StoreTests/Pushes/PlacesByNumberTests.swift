import Support
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct PlacesByNumberTests {
    private static let all = (first: PushJobNumber(rawValue: .min), last: PushJobNumber(rawValue: .max))

    private func number(_ value: Int64) -> PushJobNumber { PushJobNumber(rawValue: value) }
    private func position(_ value: Int64) -> QueuePlace { QueuePlace(rawValue: value) }

    private func makePlaces(_ numbers: some Sequence<Int64>) -> PlacesByNumber {
        var places = PlacesByNumber()
        for value in numbers { places.put(number(value), at: position(value * 10)) }
        return places
    }

    private func values(_ places: PlacesByNumber, from first: Int64, to last: Int64) -> [Int64] {
        places.places(from: number(first), to: number(last)).map(\.number.rawValue)
    }

    @Test func `nothing is found where nothing is`() {
        var places = PlacesByNumber()
        #expect(places.position(of: number(1)) == nil)
        #expect(places.places(from: Self.all.first, to: Self.all.last) == [])
        #expect(places.put(number(1), at: nil) == nil)
        #expect(places.position(of: number(1)) == nil)
    }

    @Test func `a job stands where it was put last, and each put tells where it stood before`() {
        var places = PlacesByNumber()
        #expect(places.put(number(7), at: position(1)) == nil)
        #expect(places.put(number(7), at: position(2)) == position(1))
        #expect(places.position(of: number(7)) == position(2))
        #expect(places.put(number(7), at: nil) == position(2))
        #expect(places.position(of: number(7)) == nil)
    }

    @Test(arguments: [1, 255, 256, 257, 1_000, 5_000] as [Int64])
    func `numbers that come in any order are all found, and are in theirs`(_ count: Int64) {
        for numbers in [Array(1...count), (1...count).reversed(), (1...count).map { $0 * 7_919 % (count + 1) }] {
            let places = makePlaces(numbers)
            let sorted = Set(numbers).sorted()
            #expect(values(places, from: .min, to: .max) == sorted)
            #expect(sorted.allSatisfy { places.position(of: number($0)) == position($0 * 10) })
            #expect(places.position(of: number(count + 1)) == nil)
        }
    }

    @Test func `a range has its ends and what is between them, wherever they lie`() {
        let places = makePlaces(stride(from: 0, through: 20_000, by: 2))
        for (first, last) in [(0, 0), (1, 1), (-5, 3), (509, 515), (0, 1_024), (19_999, 30_000), (20_001, .max)] {
            let expected = (first...last).clamped(to: 0...20_000).filter { $0 % 2 == 0 && $0 >= first && $0 <= last }
            #expect(values(places, from: Int64(first), to: Int64(last)) == expected.map(Int64.init))
        }
        #expect(values(places, from: 8, to: 4) == [])
    }

    @Test func `the rest is found after most have gone`() {
        var places = makePlaces(0..<10_000)
        for value in Int64(0)..<10_000 where value % 100 != 3 { places.put(number(value), at: nil) }
        #expect(values(places, from: .min, to: .max) == Array(stride(from: 3, to: 10_000, by: 100)))
        for value in stride(from: Int64(3), to: 10_000, by: 100) {
            #expect(places.put(number(value), at: nil) == position(value * 10))
        }
        #expect(values(places, from: .min, to: .max) == [])
    }

    @Test(arguments: 1...8)
    func `after any changes, moves and removals it is as a dictionary`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (places, expected) = (PlacesByNumber(), [PushJobNumber: QueuePlace]())
        for round in 0..<40 {
            // By turns it grows and shrinks, to nothing at times, in a part of the numbers or in all of them.
            let (isGrowing, width) = (round % 3 != 2, random.next(below: 2) == 0 ? 300 : 4_000)
            for _ in 0..<600 {
                let number = number(Int64(random.next(below: width)))
                let isPut = random.next(below: 8) == 0 ? !isGrowing : isGrowing
                let position = isPut ? position(Int64(random.next(below: 1_000_000))) : nil
                #expect(places.put(number, at: position) == expected[number])
                expected[number] = position
            }
            let sorted = expected.sorted { $0.key < $1.key }.map { PushTurns.Place(position: $0.value, number: $0.key) }
            #expect(places.places(from: Self.all.first, to: Self.all.last) == sorted)
            #expect((0..<4_000).allSatisfy { places.position(of: number($0)) == expected[number($0)] })
            let ends = [number(Int64(random.next(below: 4_000))), number(Int64(random.next(below: 4_000)))].sorted()
            #expect(
                places.places(from: ends[0], to: ends[1])
                    == sorted.filter { $0.number >= ends[0] && $0.number <= ends[1] })
        }
    }
}
