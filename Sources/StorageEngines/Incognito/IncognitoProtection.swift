import BrowserSessions

/// How a store seals its incognito side: given to ``OrderedSessionStorage`` by a backend.
public struct IncognitoProtection: Sendable {
    /// Seals the records.
    public var cipher: any IncognitoCipher
    /// Keeps the keys of sides that are begun from now on.
    public var keyStore: any IncognitoKeyStore
    /// Key stores in which the key of a side that is there may be, beside ``keyStore``.
    public var otherKeyStores: [any IncognitoKeyStore]
    /// How long a key store may take. Then the incognito side is unavailable, and nothing else.
    public var patience = Duration.seconds(10)
    /// Lets one call through at a time.
    let line = KeyCallLine()

    /// - Parameter otherKeyStores: where to look for the key of an older side; the library's own
    ///   key stores in most cases.
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

    /// Throws if a name cannot stand in the header.
    func checkNames() throws(StorageError) {
        for name in [cipher.name] + keyStores.map(\.name) + keyStores.compactMap(\.era) {
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
