import BrowserSessions

/// How a store seals its incognito partition: a backend passes it to ``OrderedSessionStorage``.
public struct IncognitoProtection: Sendable {
    /// Seals the records.
    public var cipher: any IncognitoCipher
    /// Keeps the keys of new partitions.
    public var keyStore: any IncognitoKeyStore
    /// Key stores, beside ``keyStore``, that may have the key of an existing partition.
    public var otherKeyStores: [any IncognitoKeyStore]
    /// How long a key store may take. After that, only the incognito partition is unavailable.
    public var timeout = Duration.seconds(10)
    /// Lets one call through at a time.
    let line = StoreLine(on: .unlimited)

    /// - Parameter cipher: what seals new partitions.
    /// - Parameter keyStore: where new keys are kept.
    /// - Parameter otherKeyStores: other key stores to search for the key of an older partition;
    ///   usually the library's own.
    public init(
        cipher: any IncognitoCipher,
        keyStore: any IncognitoKeyStore,
        otherKeyStores: [any IncognitoKeyStore] = []
    ) {
        self.cipher = cipher
        self.keyStore = keyStore
        self.otherKeyStores = otherKeyStores
    }

    var keyStores: [any IncognitoKeyStore] { [keyStore] + otherKeyStores }

    func keyStore(named name: String) -> (any IncognitoKeyStore)? {
        keyStores.first { $0.name == name }
    }

    /// Throws if the header cannot contain a name.
    func checkNames() throws(StorageError) {
        for name in [cipher.name] + keyStores.map(\.name) + keyStores.compactMap(\.keyScope) {
            let isPlain = name.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, 45, 46, 95: true
                default: false
                }
            }
            guard isPlain, (1...64).contains(name.utf8.count) else {
                throw StorageError(
                    .invalidConfiguration,
                    """
                    '\(name)' cannot be the name of a cipher or key store: a name has up to 64 \
                    letters, digits, '-', '_' and '.'
                    """)
            }
        }
    }
}
