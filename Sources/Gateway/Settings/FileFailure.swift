import Foundation

/// The system's reason why a file could not be read or written; without the path, which messages begin with.
struct FileFailure: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        let error = error as NSError
        description = error.localizedFailureReason ?? error.localizedDescription
    }
}
