/// The kinds of subjects that can be muted: `actor`, and what the types of the catalogs name, such as `room`.
///
/// A kind is a key of a type's `subjects:`, and taken as it stands there: only the id is a template. So the catalogs
/// tell every kind that an event can have; were a kind ever a placeholder, all kinds would have to be known.
package struct SubjectKinds: Sendable, Hashable {
    private let names: Set<ExactText>

    /// - Parameter names: those beside `actor`, which is always known.
    package init(_ names: some Sequence<String>) {
        self.names = Set(names.map { ExactText($0) }).union([ExactText("actor")])
    }

    package init(of catalogs: [Catalog]) {
        self.init(catalogs.flatMap(\.notificationTypes).flatMap { type in type.plan.subjects.map(\.kind) })
    }

    /// Finds a subject whose kind nobody knows.
    ///
    /// O(subjects), and O(muted) once a kind is not known.
    /// - Parameters:
    ///   - muted: subjects whose kinds count as known, too.
    ///   - place: what the problem points to.
    /// - Throws: `unknown_subject_kind`; of several kinds the first in their order.
    func check(
        _ subjects: some Sequence<ExactText>, muted: some Sequence<ExactText>, at place: JSONPointer
    ) throws(PreferenceProblem) {
        let strange = Set(subjects.map(Self.kind)).subtracting(names)
        guard !strange.isEmpty else { return }
        guard let first = strange.subtracting(muted.map(Self.kind)).map(\.text).min() else { return }
        throw .unknownSubjectKind(first, at: place, known: names.map(\.text).sorted())
    }

    /// What stands before the first colon: see ``UserSettings/isSubject(_:)``.
    private static func kind(of subject: ExactText) -> ExactText {
        ExactText(String(decoding: subject.text.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
    }
}
