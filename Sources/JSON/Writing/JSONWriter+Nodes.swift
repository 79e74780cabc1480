import CSimdjson

extension JSONWriter {
    /// Writes a parsed value with the same bytes as its ``JSONNode/value``, without the copy.
    package mutating func value(_ json: JSONNode) {
        switch json.kind {
        case BELFRY_JSON_BOOL: value(belfry_json_bool(json.node))
        case BELFRY_JSON_INT64: value(belfry_json_int64(json.node))
        case BELFRY_JSON_DOUBLE: value(belfry_json_double(json.node))
        case BELFRY_JSON_NUMBER: value(json.number)
        case BELFRY_JSON_STRING:
            var count = 0
            let start = UnsafeRawPointer(belfry_json_string(json.node, &count))
            writeQuoted(UnsafeRawBufferPointer(start: start, count: count), isKey: false)
        case BELFRY_JSON_ARRAY: array { writer in json.forEachElement { writer.value($0) } }
        case BELFRY_JSON_OBJECT:
            object { writer in
                json.forEachMember { member in
                    writer.writeQuoted(member.key.utf8, isKey: true)
                    writer.value(member.value)
                }
            }
        default: null()
        }
    }
}
