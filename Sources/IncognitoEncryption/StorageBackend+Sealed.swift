public import BrowserSessions
public import StorageEngines

extension StorageBackend {
    /// A backend over an engine, with a sealed incognito side: all that a backend has to say.
    ///
    /// - Parameters:
    ///   - options: the backend's own options; `incognitoKeys` is added.
    ///   - keys: where the keys of incognito sides are.
    ///   - engine: makes the engine for a configuration, whose options are known to be right.
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
            }
        ) { configuration throws(StorageError) in
            try OrderedSessionStorage(
                opening: configuration, engine: engine(configuration),
                incognito: keys.protection(for: configuration))
        }
    }

    /// The same over an engine with a place of its own. A key in a file would have no place.
    ///
    /// - Parameter environment: the clock, the randomness and the patience; tests may have their own.
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
