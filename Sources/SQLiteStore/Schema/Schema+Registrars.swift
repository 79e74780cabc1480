extension Schema {
    /// The registrar of each device: `Device.Registrar`. For existing devices that is unknown: they count as the
    /// person's own, which nobody changes without a token.
    static let registrars = "ALTER TABLE device ADD COLUMN registrar INTEGER NOT NULL DEFAULT 0"
}
