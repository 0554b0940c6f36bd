public import BrowserSessions
public import StorageEngines

extension StorageBackend {
    /// Makes a backend of a file engine, with a sealed incognito partition.
    ///
    /// - Parameters:
    ///   - options: the backend's own options; `incognitoKeys` is added.
    ///   - keys: where incognito keys are.
    ///   - engine: makes the engine for a configuration with valid options.
    public init(
        name: String,
        summary: String,
        options: [StorageOption] = [],
        sealedWith keys: IncognitoKeys,
        engine: @escaping @Sendable (StorageConfiguration) -> any FileEngine
    ) {
        let option = keys.option
        self.init(
            name: name, summary: summary, options: options + [option],
            meanings: { [option.name: keys.meaning(of: $0)] },
            hasStore: { path throws(StorageError) in
                try engine(StorageConfiguration(location: path)).hasStore(at: path)
            },
            remove: { configuration throws(StorageError) in
                try OrderedSessionStorage.remove(
                    configuration, engine: engine(configuration),
                    incognito: keys.protection(for: configuration))
            },
            openReader: { configuration throws(StorageError) in
                try OrderedSessionStorage.openReader(
                    configuration, engine: engine(configuration))
            },
            backUp: { configuration, path throws(StorageError) in
                try OrderedSessionStorage.backUp(
                    configuration, engine: engine(configuration), to: path)
            }
        ) { configuration throws(StorageError) in
            try OrderedSessionStorage(
                opening: configuration, engine: engine(configuration),
                incognito: keys.protection(for: configuration))
        }
    }

    /// Makes a backend of a connected engine. It cannot keep a key in a file.
    ///
    /// - Parameter environment: the clock, the randomness and the timeout; tests may supply their
    ///   own.
    public init(
        name: String,
        summary: String,
        options: [StorageOption] = [],
        sealedWith keys: IncognitoKeys,
        in environment: StoreEnvironment = .system,
        connectedEngine engine: @escaping @Sendable (StorageConfiguration) -> any ConnectedEngine
    ) {
        let option = keys.option
        self.init(
            name: name, summary: summary, options: options + [option],
            meanings: { [option.name: keys.meaning(of: $0, hasDirectory: false)] },
            remove: { configuration throws(StorageError) in
                try OrderedSessionStorage.remove(
                    configuration, engine: engine(configuration),
                    incognito: keys.protection(for: configuration, hasDirectory: false))
            },
            openReader: { configuration throws(StorageError) in
                try OrderedSessionStorage.openReader(
                    configuration, engine: engine(configuration), in: environment)
            }
        ) {
            configuration throws(StorageError) in
            try OrderedSessionStorage(
                opening: configuration, engine: engine(configuration),
                incognito: keys.protection(for: configuration, hasDirectory: false),
                in: environment)
        }
    }
}
