extension Schema {
    /// The registrar of each device: `Device.Registrar`. For existing devices that is unknown: they count as the
    /// person's own, which nobody changes without a token.
    static let registrars = "ALTER TABLE device ADD COLUMN registrar INTEGER NOT NULL DEFAULT 0"

    /// What a browser's subscription has beside its address and keys: the page that its pushes open, and its end.
    static let subscriptions = """
        ALTER TABLE device ADD COLUMN scope TEXT;
        ALTER TABLE device ADD COLUMN expires_at INTEGER;
        """
}
