/// Takes a request's body as it comes, and answers meanwhile; called on the connection's shard.
package protocol HTTPStreamHandler: AnyObject {
    /// The stream has opened; the handler begins with ``HTTPStream/start(_:_:_:)``.
    func opened(_ stream: HTTPStream, _ on: borrowing OnShard)
    func received(_ bytes: [UInt8], _ on: borrowing OnShard)
    /// The whole body has come.
    func bodyEnded(_ on: borrowing OnShard)
    /// The peer has taken all of the answer so far.
    func drained(_ on: borrowing OnShard)
    /// The connection closed before the answer ended; this is the last call.
    func cancelled(_ on: borrowing OnShard)
}
