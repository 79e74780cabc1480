/// A file's permissions, as `chmod` writes them: 0660.
package struct FileMode: Sendable, Hashable {
    package let bits: UInt32

    package init(bits: UInt32) { self.bits = bits }
}
