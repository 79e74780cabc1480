/// Makes a user's token.
package typealias TokenSource = @Sendable (_ user: String) throws -> String
