/// Notes what of an event's data a type's texts use, while they are compiled.
final class UsedData {
    /// The names of members at the top of the data.
    private(set) var members: Set<String> = []

    func note(_ member: String) { members.insert(member) }
}
