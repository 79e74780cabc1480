import JSON

/// Writes spans as OTLP's `ExportTraceServiceRequest` in JSON (OpenTelemetry Protocol 1.9, "JSON Protobuf Encoding"): ids
/// are hexadecimal, numbers of 64 bits are texts, enumerations are numbers, and members without a value are left out.
package struct ExportRequest: Sendable {
    /// What all spans of this process have in common, and who made them.
    private let head: [UInt8]
    private let scope: [UInt8]

    /// - Parameters:
    ///   - service: the name of the service.
    ///   - version: the program's.
    ///   - instance: the name of this process among several.
    package init(service: String, version: String, instance: String) {
        var json = JSONWriter()
        json.object { json in
            Self.attributes(
                [
                    ("service.name", .text(service)), ("service.version", .text(version)),
                    ("service.instance.id", .text(instance)),
                ], to: &json)
        }
        head = json.bytes
        json = JSONWriter()
        json.object { json in
            json.member("name", "belfry")
            json.member("version", version)
        }
        scope = json.bytes
    }

    package func body(of spans: [Span]) -> [UInt8] {
        var json = JSONWriter(capacity: 256 + spans.count * 512)
        json.object { json in
            json.key("resourceSpans")
            json.array { json in
                json.object { json in
                    json.member("resource", raw: head)
                    json.key("scopeSpans")
                    json.array { json in
                        json.object { json in
                            json.member("scope", raw: scope)
                            json.key("spans")
                            json.array { json in for span in spans { Self.write(span, to: &json) } }
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private static func write(_ span: Span, to json: inout JSONWriter) {
        json.object { json in
            json.member("traceId", span.trace.text)
            json.member("spanId", span.id.text)
            if let state = span.state { json.member("traceState", state) }
            if let parent = span.parent { json.member("parentSpanId", parent.text) }
            json.member("flags", flags(isRemote: span.isParentRemote))
            json.member("name", span.name)
            json.member("kind", span.kind.rawValue)
            json.member("startTimeUnixNano", String(span.start))
            json.member("endTimeUnixNano", String(span.end))
            attributes(span.attributes, to: &json)
            if !span.links.isEmpty {
                json.key("links")
                json.array { json in for link in span.links { write(link, to: &json) } }
            }
            // STATUS_CODE_ERROR; servers leave the status open otherwise.
            if span.hasFailed { json.member("status", ["code": 2]) }
        }
    }

    private static func write(_ link: SpanContext, to json: inout JSONWriter) {
        json.object { json in
            json.member("traceId", link.trace.text)
            json.member("spanId", link.span.text)
            if let state = link.state { json.member("traceState", state) }
            json.member("flags", flags(isRemote: false))
        }
    }

    /// W3C's flag `sampled`, and whether the parent is in another program (`SpanFlags`).
    private static func flags(isRemote: Bool) -> Int64 { 0x101 | (isRemote ? 0x200 : 0) }

    private static func attributes(_ attributes: [(key: String, value: Span.Value)], to json: inout JSONWriter) {
        guard !attributes.isEmpty else { return }
        json.key("attributes")
        json.array { json in
            for (key, value) in attributes {
                json.object { json in
                    json.member("key", key)
                    json.key("value")
                    json.object { json in
                        switch value {
                        case .text(let text): json.member("stringValue", text)
                        case .number(let number): json.member("intValue", String(number))
                        case .truth(let truth): json.member("boolValue", truth)
                        }
                    }
                }
            }
        }
    }
}

extension ExportRequest {
    /// How many spans the collector's answer says it has rejected (`ExportTraceServiceResponse.partialSuccess`).
    package static func rejected(_ body: [UInt8]) -> Int {
        // A number of 64 bits is a text, and a parser of protobuf takes both.
        guard let response = try? JSONValue(parsing: body),
            let count = response.at(["partialSuccess", "rejectedSpans"])
        else { return 0 }
        return max(0, count.string.flatMap { Int($0) } ?? count.int.map { Int(clamping: $0) } ?? 0)
    }
}
