import Push

/// The outputs for a sink's records.
package struct SinkOutputs: Sendable {
    /// Takes whole JSON objects, one for each request, on any shard.
    package typealias Printer = @Sendable (_ line: [UInt8]) -> Void

    private let print: Printer?
    private let recorder: SinkRecorder?

    /// - Parameters:
    ///   - print: gets a line for people and tests; nil for none, which saves the work.
    ///   - recorder: gets the short form.
    package init(print: Printer?, recorder: SinkRecorder? = nil) {
        self.print = print
        self.recorder = recorder
    }

    func write(_ record: SinkRecord) {
        print?(record.line)
        recorder?.append(record.compactLine)
    }
}
