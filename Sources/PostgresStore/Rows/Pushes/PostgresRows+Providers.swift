import Push

extension PostgresRows {
    /// The providers whose rows are understood. Rows of any other provider stay untouched.
    var providers: ProviderList { .standard }
}
