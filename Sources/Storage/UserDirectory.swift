/// Who people are and what they have chosen.
package protocol UserDirectory: Sendable {}
