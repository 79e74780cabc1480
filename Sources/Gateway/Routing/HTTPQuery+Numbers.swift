import WireProtocol

extension HTTPQuery {
    /// The whole number that a parameter gives; nil without the parameter.
    func number<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(Problem) -> Number? {
        guard let text = self[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
            throw .parameter(name, "expected a whole number from \(range.lowerBound) \(end)")
        }
        return number
    }
}
