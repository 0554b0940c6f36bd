public import BrowserSessions
import StorageEngines

/// A backend with one known fault that the suite must catch, to prove that a requirement can
/// catch something. Each is declared with the requirement that it was made to break.
public struct FaultyBackend: Sendable {
    /// The name, such as `forgets-on-reopen`.
    public let name: String
    /// The requirement that it was made to break.
    public internal(set) var breaks = ""
    /// A part of the message with which that requirement must catch it.
    public let message: String
    /// The backend to open. A fault in front of it shows only with ``harness(named:over:)``.
    public let backend: StorageBackend
    /// Makes the harness that shows the fault from a harness of the backend.
    private(set) var dress: @Sendable (BackendHarness) -> any StorageHarness = { $0 }

    /// Opens a sound store.
    typealias Opening =
        @Sendable (StorageConfiguration) throws(StorageError) -> any SessionStorage

    /// Makes a fault around a sound store.
    init(
        _ name: String, says message: String,
        wrapping wrap: @escaping @Sendable (any SessionStorage) throws -> any SessionStorage
    ) {
        self.init(name, says: message, opening: { try wrap(ReferenceEngine.open($0)) })
    }

    /// Makes a fault in the engine below a sound ``OrderedSessionStorage``.
    init(_ name: String, says message: String, engine faults: ReferenceFaults) {
        self.init(
            name, says: message,
            opening: { try OrderedSessionStorage(opening: $0, engine: ReferenceEngine(faults)) }
        )
    }

    /// Makes a fault in opening, or anywhere.
    ///
    /// - Parameter isChecked: whether options are checked before the opening.
    init(
        _ name: String, says message: String, options: [StorageOption] = [], isChecked: Bool = true,
        opening: @escaping @Sendable (StorageConfiguration) throws -> any SessionStorage
    ) {
        let backend = StorageBackend(name: "reference", summary: name, options: options) {
            configuration throws(StorageError) in
            try StorageError.typing { try opening(configuration) }
        }
        self.init(name, says: message, backend: backend)
        if !isChecked {
            dress = { UncheckedHarness(base: $0) { try opening($0) } }
        }
    }

    /// Makes a fault in opening a store for reading beside its owner, or in what its traits say of
    /// it.
    ///
    /// - Parameter claims: whether the traits of the sound store claim it.
    init(
        _ name: String, says message: String, claimsReaders claims: Bool,
        reading: (@Sendable (StorageConfiguration) throws -> StoreReader)?
    ) {
        var openReader: (@Sendable (StorageConfiguration) throws(StorageError) -> StoreReader)?
        if let reading {
            openReader = { configuration throws(StorageError) in
                try StorageError.typing { try reading(configuration) }
            }
        }
        let backend = StorageBackend(name: "reference", summary: name, openReader: openReader) {
            configuration throws(StorageError) in
            try ReferenceEngine.open(configuration).claiming { $0.opensReaders = claims }
        }
        self.init(name, says: message, backend: backend)
    }

    /// Makes a fault in a medium that several owners reach, or in opening a store of it.
    init(
        _ name: String, says message: String, sharing fault: SharedMedium.Fault? = nil,
        onMedium opening:
            @escaping @Sendable (MediumAccess, StorageConfiguration) throws
            -> any SessionStorage = { try $0.open($1) }
    ) {
        let medium = SharedMedium(fault)
        let access = MediumAccess(medium)
        self.init(name, says: message, opening: { try opening(access, $0) })
        dress = { base in
            var harness = base
            harness.persistence = .process
            harness.takeOver = { medium.takeOver($0) }
            harness.troubles = medium.troubles
            harness.makeLink = { timeout in
                let wire = MemoryWire()
                let linked = access.over(wire, timeout: timeout)
                let backend = FaultyBackend(
                    name, says: message, opening: { try opening(linked, $0) })
                return MediumLink(over: wire) { configuration throws(StorageError) in
                    try await backend.backend.open(configuration)
                }
            }
            return harness
        }
    }

    /// Makes any backend, for tests of the suite.
    init(
        _ name: String, says message: String, backend: StorageBackend, breaks: String = ""
    ) {
        self.name = name
        self.message = message
        self.backend = backend
        self.breaks = breaks
    }
}

extension FaultyBackend {
    /// Backends without an implementation: what they pass proves little by itself.
    public static var hollow: [StorageBackend] { [.null, .echo] }

    /// Returns the faulty or hollow backend of that name.
    public static func backend(named name: String) -> StorageBackend? {
        all.first { $0.name == name }?.backend ?? hollow.first { $0.name == name }
    }

    /// Returns the harness that shows the fault of that name. Some faults are in front of a
    /// backend, and a harness that opens it in the ordinary way hides them.
    ///
    /// - Parameter name: the name of the faulty backend.
    /// - Parameter base: an ordinary harness of the backend of that name.
    public static func harness(named name: String, over base: BackendHarness) -> any StorageHarness
    {
        all.first { $0.name == name }?.dress(base) ?? base
    }
}
