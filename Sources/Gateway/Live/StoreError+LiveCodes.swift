import Store
import WireProtocol

extension StoreError {
    /// The close code for a session whose inbox could not be read.
    var closeCode: LiveCloseCode {
        switch self {
        // The next process has the store already.
        case .closed: .drain
        // After a flood of newcomers there will be room for this inbox or its read in a while; on a full disk, once it
        // has room again; without its database, once another node or the database answers.
        case .overloaded, .diskFull, .unreachable: .overloaded
        case .keyReused, .tooManyDevices, .damaged, .failed: .internalError
        }
    }
    /// The error code for a command that the store did not carry out.
    var liveCode: LiveErrorCode {
        switch self {
        case .overloaded, .unreachable: .overloaded
        case .closed: .leaving
        case .damaged: .storeDamaged
        case .diskFull: .diskFull
        // No command of a session publishes or registers a device.
        case .failed, .keyReused, .tooManyDevices: .storeFailed
        }
    }
}
