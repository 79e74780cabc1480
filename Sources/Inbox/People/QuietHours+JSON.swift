package import JSON

/// `{"zone": "Europe/Berlin", "windows": [{"days": ["mon", "tue"], "from": "22:00", "to": "07:00"}]}`
extension QuietHours {
    package var json: JSONValue {
        [
            "zone": zone.map { .string($0) } ?? .null,
            "windows": .array(windows.map(\.json)),
        ]
    }

    package init(_ json: JSONValue) throws(PreferenceProblem) { try self.init(json, at: JSONPointer()) }

    init(_ json: JSONValue, at place: JSONPointer) throws(PreferenceProblem) {
        let members = try SettingsMembers(json, at: place, known: ["zone", "windows"])
        zone = try members.zone("zone")
        guard let elements = try members.array("windows", maximum: Self.maximumWindows) else {
            throw .missingField("windows", in: place, expected: "an array of windows")
        }
        windows = []
        for (index, element) in elements.enumerated() {
            let place = members.place(of: "windows").appending(String(index))
            windows.append(try Window(element, at: place))
        }
    }
}

extension QuietHours.Window {
    fileprivate var json: JSONValue {
        [
            "days": .array(days.names.map { .string($0) }),
            "from": .string(Self.text(minutes: from)),
            "to": .string(Self.text(minutes: to)),
        ]
    }

    fileprivate init(_ json: JSONValue, at place: JSONPointer) throws(PreferenceProblem) {
        let members = try SettingsMembers(json, at: place, known: ["days", "from", "to"])
        days = try Self.days(members)
        from = try Self.minutes("from", members, maximum: 24 * 60 - 1)
        to = try Self.minutes("to", members, maximum: 24 * 60)
    }

    private static func days(_ members: SettingsMembers) throws(PreferenceProblem) -> Weekdays {
        let expected = "days such as [\"mon\", \"tue\"]"
        guard let names = try members.array("days", maximum: 7), !names.isEmpty else {
            throw .missingField("days", in: members.place, expected: expected)
        }
        var days: Weekdays = []
        for (index, name) in names.enumerated() {
            guard let day = name.string.flatMap(Weekdays.init(name:)) else {
                let place = members.place(of: "days").appending(String(index))
                throw .invalidValue(place, expected: Spelling.list(Weekdays.names))
            }
            days.insert(day)
        }
        return days
    }

    private static func minutes(
        _ key: String, _ members: SettingsMembers, maximum: Int
    ) throws(PreferenceProblem) -> Int {
        let expected = "a time from 00:00 to \(text(minutes: maximum))"
        guard let text = try members.text(key, expected) else {
            throw .missingField(key, in: members.place, expected: expected)
        }
        let digits = text.utf8.map { Int($0) - 48 }
        let isTime =
            digits.count == 5 && text.utf8.dropFirst(2).first == UInt8(ascii: ":")
            && [0, 1, 3, 4].allSatisfy { (0...9).contains(digits[$0]) }
        guard isTime, case let minutes = digits[3] * 10 + digits[4], minutes < 60,
            case let time = (digits[0] * 10 + digits[1]) * 60 + minutes, time <= maximum
        else { throw .invalidValue(members.place(of: key), expected: expected) }
        return time
    }

    private static func text(minutes: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return two(minutes / 60) + ":" + two(minutes % 60)
    }
}
