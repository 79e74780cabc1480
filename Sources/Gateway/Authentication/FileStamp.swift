package import Foundation

/// Tells one state of a file from another without reading it; equal stamps mean that it was not written or replaced.
package struct FileStamp: Sendable, Hashable {
    package let modified: Date
    package let bytes: UInt64
    package let number: UInt64

    package init(modified: Date, bytes: UInt64, number: UInt64) {
        self.modified = modified
        self.bytes = bytes
        self.number = number
    }

    /// The stamp of the file at `path`, or of the file that a link there leads to; nil if there is none.
    package init?(of path: String) {
        // Mounted secrets are replaced by changing a link, so the link's own stamp says nothing.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // An inaccessible file has no stamp: reading it reports the reason.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        let bytes = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
        let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        self.init(modified: modified, bytes: bytes, number: number)
    }
}
