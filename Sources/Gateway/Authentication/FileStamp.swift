package import Foundation

/// Tells one state of a file from another without reading it; equal stamps mean: not replaced, not written.
package struct FileStamp: Sendable, Hashable {
    package let modified: Date
    package let bytes: UInt64
    package let number: UInt64

    package init(modified: Date, bytes: UInt64, number: UInt64) {
        self.modified = modified
        self.bytes = bytes
        self.number = number
    }

    /// The stamp of the file at `path`, or of what it is a link to; nil if there is none.
    package init?(of path: String) {
        // Mounted secrets are replaced by turning a link, so the link itself says nothing.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // A file that cannot be looked at has no stamp: reading it is what reports why.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        let bytes = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
        let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        self.init(modified: modified, bytes: bytes, number: number)
    }
}
