/// A piece of text that a type's texts share: `place: [" at {{restaurant.name}}", ""]`. If a value is missing, only the
/// pieces that show it are lost.
struct PartRule: Sendable, Hashable {
    /// The name of the placeholder that prints the part.
    let name: String
    let text: TextRule
}
