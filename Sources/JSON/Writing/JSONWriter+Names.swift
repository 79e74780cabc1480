/// Members whose names are encoded already. Name and value are written at once: each separate append would check the
/// room and the buffer's uniqueness again.
extension JSONWriter {
    package mutating func member(_ name: JSONName, _ text: String) {
        let isSeparated = needsComma
        let isWritten = text.utf8.withContiguousStorageIfAvailable { utf8 in
            var isCopied = false
            bytes.append(atMost: name.encoded.count + utf8.count + 3) { room in
                if isSeparated { room.append(UInt8(ascii: ",")) }
                name.encoded.withUnsafeBytes { room.append($0) }
                room.append(UInt8(ascii: "\""))
                isCopied = room.append(unlessEscaped: UnsafeRawBufferPointer(utf8))
                guard isCopied else { return room.removeAll() }
                room.append(UInt8(ascii: "\""))
            }
            return isCopied
        }
        if isWritten == true {
            needsComma = true
        } else {
            key(name)
            value(text)
        }
    }

    package mutating func member(_ name: JSONName, _ value: JSONValue) {
        switch value {
        case .string(let text): member(name, text)
        case .null, .bool, .int, .double, .number, .array, .object:
            key(name)
            self.value(value)
        }
    }

    /// The object's member of this name; null without one.
    package mutating func member(_ name: JSONName, of object: JSONObject) {
        let members = object.members.span
        for index in members.indices where members[index].key == name.text {
            return member(name, members[index].value)
        }
        key(name)
        null()
    }
}
