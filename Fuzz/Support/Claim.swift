/// Ends the run as a finding where a claim about the code does not hold; unlike `precondition`, it says which.
func claim(_ holds: @autoclosure () -> Bool, _ words: @autoclosure () -> String) {
    if !holds() { fatalError(words()) }
}

/// As ``claim(_:_:)``, for two ways to the same value.
func claimEqual<Value: Equatable>(_ one: Value, _ other: Value, _ words: @autoclosure () -> String) {
    if one != other { fatalError("\(words())\n   one: \(one)\n other: \(other)") }
}
