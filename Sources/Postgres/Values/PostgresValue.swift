/// A parameter of a statement. Its case decides the type that PostgreSQL sees, also for NULL.
package enum PostgresValue: Hashable, Sendable {
    case int64(Int64?)
    case int32(Int32?)
    case bool(Bool?)
    /// PostgreSQL takes no U+0000 within a text, and says so.
    case text(String?)
    case bytes([UInt8]?)
    /// Arrays, for `unnest`.
    case int64s([Int64?])
    case texts([String?])
    case byteArrays([[UInt8]?])

    /// The type's number, fixed for all servers (`pg_type.dat` of PostgreSQL's source).
    var type: UInt32 {
        switch self {
        case .int64: 20
        case .int32: 23
        case .bool: 16
        case .text: 25
        case .bytes: 17
        case .int64s: 1016
        case .texts: 1009
        case .byteArrays: 1001
        }
    }
}
