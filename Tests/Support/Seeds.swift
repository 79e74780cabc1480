import Foundation

/// How many seeds a test of random histories runs: a few for every change, all of them in `make test-long`.
package enum Seeds {
    private static let areAll = ProcessInfo.processInfo.environment["BELFRY_LONG"] != nil

    package static func some<Number: FixedWidthInteger>(_ few: Number, of all: Number) -> ClosedRange<Number>
    where Number.Stride: SignedInteger {
        1...(areAll ? all : few)
    }
}
