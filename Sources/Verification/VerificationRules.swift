package import Push
import Store

/// The settings that decide what is right.
package struct VerificationRules: Sendable {
    /// A device of any other provider is damaged.
    package var providers: ProviderList
    /// How long an idempotency key is remembered.
    package var keyLifetime: Duration

    package init(providers: ProviderList, keyLifetime: Duration = StoreOptions.usualKeyLifetime) {
        (self.providers, self.keyLifetime) = (providers, keyLifetime)
    }
}
