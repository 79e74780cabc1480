/// The event that a content was rendered for.
package struct ContentSource {
    package let event: String
    package let actor: String?

    package init(event: String, actor: String?) {
        (self.event, self.actor) = (event, actor)
    }
}
