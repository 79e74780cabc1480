extension Schema {
    /// Who has told of each device: `Device.Registrar`. Of those that are there nobody knows it: they count as the
    /// person's own, which nobody changes without a token.
    static let registrars = "ALTER TABLE device ADD COLUMN registrar INTEGER NOT NULL DEFAULT 0"
}
