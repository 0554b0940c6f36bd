import BrowserSessions

/// A backend with one known fault: proof that a requirement can catch something.
struct Mutant: Sendable {
    /// `forgets-on-reopen`.
    let name: String
    /// The requirement that it was made to break.
    let breaks: String
    /// A part of the message with which the requirement must catch it.
    let message: String
    let backend: StorageBackend
    /// What makes of a harness of the backend the one through which the fault shows.
    let dress: @Sendable (BackendHarness) -> any StorageHarness

    /// A fault around a sound store.
    init(
        _ name: String, breaks: String, says message: String,
        wrapping wrap: @escaping @Sendable (any SessionStorage) -> any SessionStorage
    ) {
        self.init(name, breaks: breaks, says: message) { configuration throws(StorageError) in
            wrap(try ReferenceEngine.open(configuration))
        }
    }

    /// A fault in the engine below a sound ``OrderedSessionStorage``.
    init(_ name: String, breaks: String, says message: String, engine: any ByteStoreEngine) {
        self.init(name, breaks: breaks, says: message) { configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: engine)
        }
    }

    /// A fault in opening, or anywhere.
    init(
        _ name: String, breaks: String, says message: String,
        opening:
            @escaping @Sendable (StorageConfiguration) throws(StorageError)
            -> any SessionStorage
    ) {
        self.name = name
        self.breaks = breaks
        self.message = message
        backend = StorageBackend(name: "reference", summary: name, open: opening)
        dress = { $0 }
    }

    /// A fault in what becomes of options: nothing looks at them before the opening does.
    init(
        _ name: String, breaks: String, says message: String, options: [StorageOption] = [],
        unchecked opening:
            @escaping @Sendable (StorageConfiguration) throws(StorageError)
            -> any SessionStorage
    ) {
        self.name = name
        self.breaks = breaks
        self.message = message
        backend = StorageBackend(
            name: "reference", summary: name, options: options, open: opening)
        dress = { UncheckedHarness(base: $0, opening: opening) }
    }

    /// The zoo, each group with its own.
    static let all: [Mutant] = [
        save, restore, state, incognito, recovery, crash, concurrency,
        close, error, limits, configuration, model,
    ].flatMap(\.self)
}
