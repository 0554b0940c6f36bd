/// A kind of store as a value. A host lists these to state which backends it can use.
///
/// Each backend is a static member (`StorageBackend.sqlite`) in its own module.
public struct StorageBackend: Sendable {
    /// The name in configurations, stamps and locations, such as `sqlite`.
    public let name: String
    /// One line that helps people choose.
    public let summary: String
    /// The options of this backend, in addition to ``StorageOption/common``.
    public let options: [StorageOption]
    /// The form of its locations.
    public let locationForm: LocationForm
    /// Returns what option values mean on this machine, by option name, where the value alone does
    /// not say it. Explanations use it. Nothing is opened.
    package let meanings: @Sendable (StorageConfiguration) -> [String: String]
    private let finding: @Sendable (_ path: String) throws(StorageError) -> Bool
    private let preparing: @Sendable (StorageConfiguration) throws(StorageError) -> Void
    private let removing: (@Sendable (StorageConfiguration) throws(StorageError) -> Bool)?
    private let opening: @Sendable (StorageConfiguration) throws(StorageError) -> any SessionStorage
    let reading: (@Sendable (StorageConfiguration) throws(StorageError) -> StoreReader)?
    let backingUp:
        (@Sendable (StorageConfiguration, _ path: String) throws(StorageError) -> StoreBackup)?

    /// The form of a location.
    public enum LocationForm: Hashable, Sendable {
        /// A path in the file system.
        case path
        /// The part of a URL between its scheme and its options:
        /// `//user@host:5432/database/profile`.
        case address
    }

    /// - Parameters:
    ///   - name: the name in configurations.
    ///   - summary: one line about it.
    ///   - options: the options of its own.
    ///   - open: opens a store, or makes one; see ``open(_:)``.
    ///   - locationForm: The form of its locations.
    ///   - meanings: What option values mean on this machine, by option name, where the value alone
    ///     does not say it.
    ///   - prepare: See ``prepare(_:)``.
    ///   - hasStore: Returns whether a store of this backend is at a path. The default serves backends
    ///     without stores at paths.
    ///   - remove: See ``remove(_:)``; `nil` for a backend that cannot remove its stores.
    ///   - openReader: See ``openReader(_:)``; `nil` for a backend that opens no readers.
    ///   - backUp: See ``backUp(_:to:)``; `nil` for a backend without files.
    public init(
        name: String,
        summary: String,
        options: [StorageOption] = [],
        locationForm: LocationForm = .path,
        meanings: @escaping @Sendable (StorageConfiguration) -> [String: String] = { _ in [:] },
        hasStore: @escaping @Sendable (_ path: String) throws(StorageError) -> Bool = { _ in false
        },
        prepare: @escaping @Sendable (StorageConfiguration) throws(StorageError) -> Void = { _ in },
        remove: (@Sendable (StorageConfiguration) throws(StorageError) -> Bool)? = nil,
        openReader: (@Sendable (StorageConfiguration) throws(StorageError) -> StoreReader)? = nil,
        backUp: (
            @Sendable (StorageConfiguration, _ path: String) throws(StorageError) -> StoreBackup
        )? = nil,
        open: @escaping @Sendable (StorageConfiguration) throws(StorageError) -> any SessionStorage
    ) {
        self.name = name
        self.summary = summary
        self.options = options
        self.meanings = meanings
        self.locationForm = locationForm
        finding = hasStore
        preparing = prepare
        removing = remove
        reading = openReader
        backingUp = backUp
        opening = open
    }

    /// Returns whether the contents at a path are a store of this backend, so that the backend need
    /// not be named. Nothing is opened or changed.
    ///
    /// Returns `false` if nothing is there, or something else. Throws if the path cannot be
    /// examined.
    package func hasStore(at path: String) throws(StorageError) -> Bool {
        do throws(StorageError) { return try finding(path) } catch { throw error.about(path) }
    }

    /// Does what ``prepare(_:)`` does, on the thread of the caller.
    package func prepareBlocking(_ configuration: StorageConfiguration) throws(StorageError) {
        try attempt(configuration) { () throws(StorageError) in try preparing(configuration) }
    }

    /// Creates what all stores of a server or directory need before the first one can be created,
    /// such as database tables. Existing data stays. Does nothing if the backend needs no
    /// preparation.
    public func prepare(_ configuration: StorageConfiguration) async throws(StorageError) {
        try await hop("prepare", configuration) { () throws(StorageError) in
            try prepareBlocking(configuration)
        }
    }

    /// Does what ``open(_:)`` does, on the thread of the caller.
    package func openBlocking(_ configuration: StorageConfiguration) throws(StorageError)
        -> any SessionStorage
    {
        try attempt(configuration) { () throws(StorageError) in try opening(configuration) }
    }

    /// Opens the store at the configuration's location, or creates one there.
    ///
    /// Unknown options and values of the wrong form are
    /// ``StorageError/Code/invalidConfiguration``. Every error names the location.
    public func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await hop("open", configuration) { () throws(StorageError) in
            try openBlocking(configuration)
        }
    }

    /// Does what ``remove(_:)`` does, on the thread of the caller.
    @discardableResult
    package func removeBlocking(_ configuration: StorageConfiguration) throws(StorageError) -> Bool
    {
        try attempt(configuration) { () throws(StorageError) in
            guard let removing else {
                throw StorageError(
                    .unsupported, "backend '\(name)' cannot remove stores", operation: "remove")
            }
            return try removing(configuration)
        }
    }

    /// Removes the store at the configuration's location: both partitions, what was set aside, and
    /// first, the key of the incognito partition in its key store. Returns whether there was a
    /// store.
    ///
    /// Afterwards nothing is there: opening with `create=false` throws
    /// ``StorageError/Code/notFound``. The store is removed as a whole. If the process is killed
    /// during the removal, the store is complete, or the next opening or removal first
    /// completes this one. The removal reads only which backend made the store and where its key
    /// is, so damaged records do not prevent it. In a directory, it removes only the store's own
    /// files, and the directory itself if nothing else is in it.
    ///
    /// Throws without removing anything:
    /// - ``StorageError/Code/locked`` if a process has it open, including this one;
    /// - ``StorageError/Code/incompatibleFormat`` if another backend or a newer version made it;
    /// - ``StorageError/Code/corrupted`` or ``StorageError/Code/unsafeLocation`` if its maker
    ///   cannot be determined, or the location is a file or a link, or belongs to another user;
    /// - ``StorageError/Code/keyUnavailable`` if the key cannot be destroyed: delete incognito
    ///   first, which gives the key up;
    /// - ``StorageError/Code/permissionDenied``, also with `access=readOnly`;
    /// - ``StorageError/Code/unavailable`` if its server does not answer;
    /// - ``StorageError/Code/unsupported`` if this backend cannot remove stores.
    ///
    /// With the effect ``StorageError/Effect/applied``, no opening finds the store any more, but
    /// part of it is left. With ``StorageError/Effect/indeterminate``, the outcome is unknown. In
    /// both cases, remove it again.
    @discardableResult
    public func remove(_ configuration: StorageConfiguration) async throws(StorageError) -> Bool {
        try await hop("remove", configuration) { () throws(StorageError) in
            try removeBlocking(configuration)
        }
    }

    /// Validates the options and performs the work. Errors name the location.
    func attempt<Success>(
        _ configuration: StorageConfiguration, _ work: () throws(StorageError) -> Success
    ) throws(StorageError) -> Success {
        do throws(StorageError) {
            try configuration.validate(against: StorageOption.common + options, of: name)
            return try work()
        } catch { throw error.about(configuration.location) }
    }

    func hop<Success: Sendable>(
        _ operation: String, _ configuration: StorageConfiguration,
        _ work: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        do throws(StorageError) {
            try BlockingWork.requireTask(for: operation)
            return try await BlockingWork.run(work)
        } catch { throw error.about(configuration.location) }
    }
}

/// The location of a store and how to use it.
public struct StorageConfiguration: Hashable, Sendable {
    /// The path of the store's directory, or an address; see ``StorageBackend/LocationForm``.
    public var location: String
    /// Values by option name. An absent option has its default.
    public var options: [String: OptionValue]
    /// Whether an opening that may change the store takes a restore point. `false` to restore one
    /// that is there: the opening then displaces none.
    package var takesPointAtOpening = true

    /// Creates a configuration. Options that are left out have their defaults.
    public init(location: String, options: [String: OptionValue] = [:]) {
        self.location = location
        self.options = options
    }
}
