import GRDB
import Store

extension StoreError {
    /// Keeps SQLite's code and own words only: its message names tables and columns, never values or arguments.
    init(_ error: any Error) {
        switch error {
        case let error as DatabaseError where Self.isForWantOfRoom(error): self = .diskFull
        case let error as DatabaseError:
            self = .failed(code: Int(error.extendedResultCode.rawValue), message: error.message ?? "unknown error")
        case let error as DamagedRow:
            self = .failed(code: Self.corrupt, message: "a row of \(error.table) cannot be read")
        default:
            // A value of another type than its column's, or one that its type cannot read. The error's own text would
            // show the value.
            self = .failed(code: Self.corrupt, message: "a stored value cannot be read")
        }
    }

    /// The index of the write-ahead log lies in memory, and SQLite has a code of its own for too little room there.
    private static func isForWantOfRoom(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    }

    /// Whether only one row is unreadable: damage that SQLite finds is ``damaged``.
    var isOfOneRow: Bool {
        if case .failed(Self.corrupt, _) = self { true } else { false }
    }

    private static var corrupt: Int { Int(ResultCode.SQLITE_CORRUPT.rawValue) }
}
