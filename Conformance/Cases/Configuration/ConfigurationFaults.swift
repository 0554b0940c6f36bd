#if FaultyBackends
    import BrowserSessions
    import StorageEngines
    import Foundation

    extension FaultyBackend {

        /// The options of a sound reference store, for faults beside them.
        static func check(
            _ configuration: StorageConfiguration, _ own: [StorageOption] = []
        ) throws(StorageError) {
            try configuration.validate(against: StorageOption.common + own, of: "reference")
        }

        static let secret = StorageOption(
            "passphrase", kind: .text, default: .text(""), isSecret: true, summary: "a secret")

        static func openWithoutSecret(_ configuration: StorageConfiguration)
            throws(StorageError) -> any SessionStorage
        {
            var plain = configuration
            plain.options[secret.name] = nil
            return try ReferenceEngine.open(plain)
        }
    }

    /// Prints all its fields in its description, as any structure does.
    struct HoldsItsSecret: StorageDecorator {
        let base: any SessionStorage
        let secret: OptionValue
    }
#endif
