import Storage
import WireProtocol

extension StoreError {
    /// What a session is told whose inbox could not be read.
    var closeCode: LiveCloseCode {
        switch self {
        // The next process has the store already.
        case .closed: .drain
        // A flood of newcomers: it will have room for this one's inbox, or its read, in a while.
        // Likewise once there is room on the disk for an inbox that is new.
        case .overloaded, .diskFull: .overloaded
        case .keyReused, .tooManyDevices, .damaged, .failed: .internalError
        }
    }
}
