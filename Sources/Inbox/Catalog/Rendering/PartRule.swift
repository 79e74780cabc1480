/// A piece of text that a type's texts share: `place: [" at {{restaurant.name}}", ""]`. A value that is missing costs
/// only the pieces that show it.
struct PartRule: Sendable, Hashable {
    /// Of the placeholder that prints it.
    let name: String
    let text: TextRule
}
