import Logging
import Storage
import Testing

@testable import Gateway

struct StoreFailuresTests {
    private func failures() -> StoreFailures {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return StoreFailures(metrics: Metrics(), logger: logger, now: { .noon })
    }

    @Test(arguments: [
        (778, "the disk of the data folder fails"), (1_034, "the disk of the data folder fails"),
        (8, "can only be read"), (14, "cannot be opened"), (5, "another program holds the database"),
    ])
    func `a store that cannot be written is told in words to act on, until something is written`(
        _ code: Int, _ words: String
    ) {
        let failures = failures()
        #expect(failures.outageWords == nil)
        failures.note(.failed(code: code, message: "the database's own words"))
        #expect(failures.outageWords?.contains(words) == true)
        #expect(failures.outageWords?.contains("SQLite error \(code), the database's own words") == true)
        failures.committed()
        #expect(failures.outageWords == nil)
    }

    @Test(arguments: [StoreError.failed(code: 11, message: "a row cannot be read"), .overloaded, .closed, .damaged])
    func `what harms one row, or is an answer, is no outage`(_ error: StoreError) {
        let failures = failures()
        failures.note(error)
        #expect(failures.outageWords == nil)
    }
}
