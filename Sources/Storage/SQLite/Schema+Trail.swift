extension Schema {
    /// What was decided about whom.
    static let trailTables = ""
}
