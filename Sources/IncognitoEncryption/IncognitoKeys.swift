public import BrowserSessions
public import StorageEngines

/// Where a backend keeps incognito keys: as the option `incognitoKeys` says, or in a key store of
/// the host.
public struct IncognitoKeys: Sendable {
    private let host: (any IncognitoKeyStore)?
    private let memory = MemoryKeyStore()

    /// Follows the option `incognitoKeys`. Keys in memory live as long as this value and its
    /// copies.
    public init() { host = nil }

    /// Uses the host's key store. The option then accepts only the name of that key store.
    public init(_ keyStore: any IncognitoKeyStore) { host = keyStore }

    /// The values of the option.
    enum Choice: String, CaseIterable {
        case auto, keyring, file, memory
    }

    private static let optionName = "incognitoKeys"

    /// The option, for a backend's list of options.
    public var option: StorageOption {
        StorageOption(
            Self.optionName,
            kind: .choice(host.map { [$0.name] } ?? Choice.allCases.map(\.rawValue)),
            default: .text(host?.name ?? Choice.auto.rawValue),
            summary: host == nil
                ? "where the key of incognito sessions is; auto: the keyring, else a file"
                : "where the key of incognito sessions is: the program keeps it itself")
    }

    /// Returns how to open a store with this configuration.
    ///
    /// `auto` uses the keyring where it works, otherwise a file. Throws
    /// `StorageError.Code.unsupported` if the keyring is chosen by name where it does not work.
    ///
    /// - Parameter configuration: the configuration of the store.
    /// - Parameter hasDirectory: whether the store has a directory for a file with the key. If not,
    ///   `auto` uses the keyring or else memory, and `file` is
    ///   `StorageError.Code.invalidConfiguration` when the store is opened.
    public func protection(
        for configuration: StorageConfiguration, hasDirectory: Bool = true
    ) throws(StorageError) -> IncognitoProtection {
        var own: [any IncognitoKeyStore] = [KeyringKeyStore(), memory]
        if hasDirectory { own.append(FileKeyStore()) }
        if let host {
            guard
                host is MemoryKeyStore || host is KeyringKeyStore || host is FileKeyStore
                    || !own.contains(where: { $0.name == host.name })
            else {
                throw StorageError(
                    .invalidConfiguration,
                    "a key store of the program is called '\(host.name)', like one of the library")
            }
        }
        let keyStore: any IncognitoKeyStore
        if let host {
            keyStore = host
        } else {
            keyStore = try self.keyStore(choice(configuration), hasDirectory)
        }
        return IncognitoProtection(
            cipher: AESGCMCipher(), keyStore: keyStore, otherKeyStores: own)
    }

    /// Returns the meaning of the option on this machine: `AES-256-GCM, key in the kernel keyring`.
    ///
    /// - Parameter configuration: the configuration of the store.
    /// - Parameter hasDirectory: as for ``protection(for:hasDirectory:)``.
    public func meaning(of configuration: StorageConfiguration, hasDirectory: Bool = true)
        -> String
    {
        let cipher = AESGCMCipher().name
        if let host { return "\(cipher), key in the program's key store '\(host.name)'" }
        let choice = choice(configuration)
        guard choice == .auto || choice == .keyring else {
            return "\(cipher), \(Self.place(choice))"
        }
        switch (choice, KeyringKeyStore.problem) {
        case (_, nil): return "\(cipher), \(Self.place(.keyring))"
        case (.keyring, let problem?): return "cannot be opened: \(problem)"
        case (_, let problem?):
            return
                "\(cipher), \(Self.place(hasDirectory ? .file : .memory)), because \(problem)"
        }
    }

    private static func place(_ choice: Choice) -> String {
        switch choice {
        case .auto, .keyring: "key in the kernel keyring"
        case .file: "key in a file of the store"
        case .memory: "key in the memory of the program"
        }
    }

    private func choice(_ configuration: StorageConfiguration) -> Choice {
        guard case .text(let text) = configuration.value(of: option) else { return .auto }
        return Choice(rawValue: text) ?? .auto
    }

    private func keyStore(_ choice: Choice, _ hasDirectory: Bool) throws(StorageError)
        -> any IncognitoKeyStore
    {
        switch choice {
        case .file: return FileKeyStore()
        case .memory: return memory
        case .auto:
            if KeyringKeyStore.isUsable { return KeyringKeyStore() }
            return hasDirectory ? FileKeyStore() : memory
        case .keyring:
            guard let problem = KeyringKeyStore.problem else { return KeyringKeyStore() }
            throw StorageError(
                .unsupported,
                """
                the kernel keyring does not work here (\(problem)); set 'incognitoKeys' to file, \
                memory or auto
                """)
        }
    }
}
