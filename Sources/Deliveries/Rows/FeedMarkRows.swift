/// How far people have viewed feeds.
package protocol FeedMarkRows: AnyObject {
    /// Moves the mark, never back; tells where it is then.
    func mark(_ offset: Int64, feed: Int64, inbox: Int64) throws -> Int64
    /// Forgets all of an inbox; tells how many there were.
    func remove(inbox: Int64) throws -> Int
}
