import Store
import Testing

@testable import Cluster

@Suite struct FiguresPaceTests {
    private let start = ContinuousClock.now
    private var pace = FiguresPace()

    @Test mutating func `figures are read one reading at a time, and every fifteen seconds at most`() {
        var begins: [Int] = []
        for second in 0...40 where pace.begins(at: start + .seconds(second)) {
            begins.append(second)
            pace.ended(DatabaseFigures(), at: start + .seconds(second))
        }
        #expect(begins == [0, 15, 30])
        let isFirst = pace.begins(at: start + .seconds(50))
        let isSecond = pace.begins(at: start + .seconds(90))
        #expect(isFirst && !isSecond)
    }

    @Test mutating func `figures are shown for a minute, also if a later reading fails`() {
        var figures = DatabaseFigures()
        figures.bytes = 7
        #expect(pace.figures(at: start) == nil)
        _ = pace.begins(at: start)
        pace.ended(figures, at: start + .seconds(1))
        _ = pace.begins(at: start + .seconds(16))
        pace.ended(nil, at: start + .seconds(17))
        #expect(pace.figures(at: start + .seconds(60)) == figures)
        #expect(pace.figures(at: start + .seconds(61)) == nil)
    }
}
