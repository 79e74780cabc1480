import Foundation

/// Why a file could not be read or written, in the words of the system and without the path, which messages begin with.
struct FileFailure: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        let error = error as NSError
        description = error.localizedFailureReason ?? error.localizedDescription
    }
}
