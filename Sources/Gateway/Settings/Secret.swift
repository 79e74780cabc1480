/// A text that must stay hidden: it prints as a placeholder, however it is printed.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
