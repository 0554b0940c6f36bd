import BrowserSessions

enum StorageTraitsSample {
    /// A store that claims all that there is to claim, but for a secret option.
    static let everything = StorageTraits(
        backend: "sample", durability: Set(Durability.allCases), incognitoErasure: .sealed,
        incognitoSealing: StorageTraits.Sealing(
            cipher: "AES-256-GCM", keyStore: "keyring", survives: .processCrash,
            keyLiesInStore: false),
        keepsRestorePoints: true)
}
