import WireProtocol

/// The common part of all lists' queries.
extension HTTPQuery {
    /// How many entries a page may have. A larger limit counts as the maximum, which the answer tells.
    func limit(usually usual: Int, atMost maximum: Int) throws(Problem) -> Int {
        guard let text = self["limit"] else { return usual }
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        // A number that does not fit is beyond every maximum.
        guard isNumber, let number = Int(text) ?? .some(.max), number > 0 else {
            throw .parameter("limit: expected a whole number from 1; more than \(maximum) counts as \(maximum)")
        }
        return min(number, maximum)
    }
}
