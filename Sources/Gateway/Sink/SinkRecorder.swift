import Dispatch
import Glibc
package import Transport

/// Appends records to a file, one JSON object a line, without holding up its callers.
package final class SinkRecorder: Sendable {
    /// A killed process loses at most the records of this interval.
    private static let flushInterval = DispatchTimeInterval.milliseconds(50)
    private static let maximumPendingBytes = 64 << 10

    private struct File {
        let descriptor: Int32
        let path: String
        var pending: [UInt8] = []
        var isFlushDue = false
        var failure: SystemCallError?

        mutating func flush() {
            isFlushDue = false
            let bytes = pending
            pending.removeAll(keepingCapacity: true)
            // After a failure the file has a hole, which further records would hide.
            guard failure == nil else { return }
            do throws(SystemCallError) {
                try PrivateFile.append(bytes, to: descriptor, subject: path)
            } catch {
                failure = error
            }
        }
    }

    private let file: QueueBound<File>

    package init(appendingTo path: String) throws(SystemCallError) {
        let descriptor = try PrivateFile.openToAppend(path)
        file = QueueBound(File(descriptor: descriptor, path: path), on: DispatchQueue(label: "belfry.sink.recorder"))
    }

    func append(_ line: [UInt8]) {
        file.post { [file] state in
            state.pending.append(contentsOf: line)
            state.pending.append(UInt8(ascii: "\n"))
            if state.pending.count >= Self.maximumPendingBytes {
                state.flush()
            } else if !state.isFlushDue {
                state.isFlushDue = true
                file.queue.asyncAfter(deadline: .now() + Self.flushInterval) { file.withState { $0.flush() } }
            }
        }
    }

    /// Writes the rest and closes the file; to be called once, after the last record.
    ///
    /// - Parameter completion: gets the failure that left the file incomplete.
    package func close(completion: @escaping @Sendable (SystemCallError?) -> Void) {
        file.post { state in
            state.flush()
            Glibc.close(state.descriptor)
            completion(state.failure)
        }
    }
}
