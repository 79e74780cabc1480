/// The bytes are no commit: they are damaged, cut off, or of another version.
package struct DamagedCommit: Error {}
