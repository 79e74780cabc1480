/// The kinds of subjects that can be muted: `actor`, and those that the catalogs' types name, such as `room`.
///
/// A kind is a key of a type's `subjects:` without placeholders, so the catalogs name every kind that an event can
/// have. Only the id is a template.
package struct SubjectKinds: Sendable, Hashable {
    private let names: Set<ExactText>

    /// - Parameter names: the kinds beside `actor`, which is always known.
    package init(_ names: some Sequence<String>) {
        self.names = Set(names.map { ExactText($0) }).union([ExactText("actor")])
    }

    package init(of catalogs: [Catalog]) {
        self.init(catalogs.flatMap(\.notificationTypes).flatMap { type in type.plan.subjects.map(\.kind) })
    }

    /// Finds a subject of an unknown kind.
    ///
    /// Costs O(subjects); with an unknown kind also O(muted).
    /// - Parameters:
    ///   - muted: subjects whose kinds count as known.
    ///   - place: the pointer of the problem.
    /// - Throws: `unknown_subject_kind`; of several kinds the first in alphabetical order.
    func check(
        _ subjects: some Sequence<ExactText>, muted: some Sequence<ExactText>, at place: JSONPointer
    ) throws(PreferenceProblem) {
        let strange = Set(subjects.map(Self.kind)).subtracting(names)
        guard !strange.isEmpty else { return }
        guard let first = strange.subtracting(muted.map(Self.kind)).map(\.text).min() else { return }
        throw .unknownSubjectKind(first, at: place, known: names.map(\.text).sorted())
    }

    /// The text before the first colon: see ``UserSettings/isSubject(_:)``.
    private static func kind(of subject: ExactText) -> ExactText {
        ExactText(String(decoding: subject.text.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
    }
}
