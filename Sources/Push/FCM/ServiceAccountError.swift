/// Why a file is no service account. Never holds a value of the file.
package struct ServiceAccountError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
