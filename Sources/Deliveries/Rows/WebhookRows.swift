package import Inbox
package import Store

/// Webhooks that are to be sent, and those that were given up.
package protocol WebhookRows: AnyObject {
    func insert(_ webhooks: [NewWebhook]) throws
    /// Hands out due webhooks of an endpoint, those with the earliest due time first; each is due again at `end`. None
    /// that another transaction is handing out.
    func lease(_ limit: Int, of endpoint: String, at now: Timestamp, until end: Timestamp) throws -> [Webhook]
    /// When an endpoint's next webhook is due; nil without any.
    func nextDue(of endpoint: String) throws -> Timestamp?
    /// Writes outcomes. One whose webhook is gone changes nothing.
    func settle(_ outcomes: [WebhookOutcome]) throws
    /// Has dead letters of an endpoint due, as if none of their tries had failed. Returns how many there were.
    func revive(_ limit: Int, of endpoint: String, due: Timestamp) throws -> Int
    /// Removes webhooks whose ids are less than this, octet by octet. Returns how many there were.
    func remove(_ limit: Int, before id: String) throws -> Int
    /// Removes all about a person.
    func remove(inbox: Int64) throws
    /// The process' clock was moved, and all due times with it.
    func move(by span: Duration) throws
}

/// A webhook that is written with what it tells.
package struct NewWebhook: Sendable, Hashable {
    package let id: String
    package let endpoint: String
    /// Of the person whom it is about.
    package let inbox: Int64
    package let due: Timestamp
    package let body: [UInt8]

    package init(id: String, endpoint: String, inbox: Int64, due: Timestamp, body: [UInt8]) {
        (self.id, self.endpoint, self.inbox, self.due, self.body) = (id, endpoint, inbox, due, body)
    }
}
