/// Names that nobody can guess and that never meet again: 100 random bits in base 32.
enum RandomName {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    static func make(prefix: String) -> String {
        var name = Array(prefix.utf8)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 { name.append(digits[Int(generator.next() & 31)]) }
        return String(decoding: name, as: UTF8.self)
    }
}
