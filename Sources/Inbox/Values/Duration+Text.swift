extension Duration {
    /// A time with its unit, as catalogs and events write it: `500ms`, `90s`, `5m`, `1h`, `1d`. Nil for anything else.
    init?(text: String) {
        let digits = text.prefix { ("0"..."9").contains($0) }
        // Nine digits of days still fit into the milliseconds of an Int64.
        guard digits.count <= 9, let number = Int64(digits) else { return nil }
        switch text[digits.endIndex...] {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3_600)
        case "d": self = .seconds(number * 86_400)
        default: return nil
        }
    }
}
