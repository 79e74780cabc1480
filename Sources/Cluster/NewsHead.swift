package import Store

/// How far an inbox or feed has come.
package struct NewsHead: Sendable {
    package let subject: NewsSubject
    /// Nil for an inbox or feed that does not exist.
    package let epoch: String?
    /// The number of its last change.
    package let number: Int64

    package init(subject: NewsSubject, epoch: String?, number: Int64) {
        (self.subject, self.epoch, self.number) = (subject, epoch, number)
    }
}
