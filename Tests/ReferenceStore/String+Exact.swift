extension String {
    /// Whether both have the same octets, as databases compare texts. For Swift, differently composed texts are equal.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
