/// Names that nobody can guess and that never meet again: 100 random bits in base 32.
enum RandomName {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let digitsPerWord = 10

    static func make(prefix: String) -> String {
        var name = Array(prefix.utf8)
        // Each word is a system call: two are enough.
        for _ in 0..<2 {
            var bits = UInt64.random(in: .min ... .max)
            for _ in 0..<digitsPerWord {
                name.append(digits[Int(bits & 31)])
                bits >>= 5
            }
        }
        return String(decoding: name, as: UTF8.self)
    }
}
