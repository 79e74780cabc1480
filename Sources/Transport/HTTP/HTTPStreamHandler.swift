/// Takes a request's body as it comes and answers meanwhile; called on the connection's shard.
package protocol HTTPStreamHandler: AnyObject {
    /// The stream is there; begins with ``HTTPStream/start(_:_:_:)``.
    func opened(_ stream: HTTPStream, _ on: borrowing OnShard)
    func received(_ bytes: [UInt8], _ on: borrowing OnShard)
    /// The whole body has come.
    func bodyEnded(_ on: borrowing OnShard)
    /// The peer has taken all of the answer so far.
    func drained(_ on: borrowing OnShard)
    /// The connection is gone before the answer was ended; the last call.
    func cancelled(_ on: borrowing OnShard)
}
