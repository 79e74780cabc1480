/// Named sets of users that backends keep.
package protocol TopicDirectory: Sendable {}
