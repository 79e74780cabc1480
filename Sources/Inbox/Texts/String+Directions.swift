import JSON

extension UnsafeRawBufferPointer {
    /// Whether this UTF-8 has a control of text direction (UAX #9): U+202A to U+202E, U+2066 to U+2069.
    var hasDirectionControl: Bool {
        // All of them begin with this octet. It is so rare that one search for it settles nearly all texts.
        guard contains(0xE2) else { return false }
        return indices.dropLast(2).contains { place in
            guard self[place] == 0xE2 else { return false }
            let last = self[place + 2]
            return switch self[place + 1] {
            case 0x80: (0xAA...0xAE).contains(last)
            case 0x81: (0xA6...0xA9).contains(last)
            default: false
            }
        }
    }
}

extension String {
    /// The text without direction controls that have no partner in it (UAX #9, BD9 and BD11).
    ///
    /// The result cannot change the direction of the text behind it. Nothing is added, so clients still find the value
    /// where they look for it.
    var balancingDirections: String {
        guard withOctets({ $0.hasDirectionControl }) else { return self }
        let scalars = Array(unicodeScalars)
        let paired = Self.pairedControls(in: scalars)
        var text = ""
        for (place, scalar) in scalars.enumerated() where !scalar.isDirectionControl || paired.contains(place) {
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    private static func pairedControls(in scalars: [Unicode.Scalar]) -> Set<Int> {
        var paired: Set<Int> = []
        var open: [(place: Int, isIsolate: Bool)] = []
        for (place, scalar) in scalars.enumerated() {
            switch scalar.value {
            case 0x202A, 0x202B, 0x202D, 0x202E: open.append((place, false))
            case 0x2066...0x2068: open.append((place, true))
            case 0x202C:
                guard let opener = open.last, !opener.isIsolate else { continue }
                open.removeLast()
                paired.formUnion([opener.place, place])
            case 0x2069:
                // The end of an isolate also ends everything that began within it.
                guard let opener = open.lastIndex(where: \.isIsolate) else { continue }
                paired.formUnion([open[opener].place, place])
                open.removeSubrange(opener...)
            // The end of a paragraph ends all controls.
            case 0x0A, 0x0D, 0x1C...0x1E, 0x85, 0x2029: open.removeAll()
            default: break
            }
        }
        return paired
    }
}

extension Unicode.Scalar {
    fileprivate var isDirectionControl: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
