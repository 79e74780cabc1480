import JSON

/// A value that an event needs to be rendered.
struct Requirement: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        case any
        /// The value is printed: it must be a string, a number or a boolean.
        case text
        case list
    }

    let placeholder: Placeholder
    let form: Form

    func check(_ rendering: Rendering, for type: String) throws(EventProblem) {
        guard placeholder.isInEvent else { return }
        guard let value = rendering.value(of: placeholder) else {
            throw .missingField(rendering.place(of: placeholder), expected: "a value, which \(type) shows")
        }
        switch form {
        case .any: break
        case .text:
            guard value.isScalar else {
                throw .wrongType(
                    rendering.place(of: placeholder), expected: "a string, a number or a boolean", found: value.kind)
            }
        case .list:
            guard value.array != nil else {
                throw .wrongType(rendering.place(of: placeholder), expected: "an array", found: value.kind)
            }
        }
    }
}
