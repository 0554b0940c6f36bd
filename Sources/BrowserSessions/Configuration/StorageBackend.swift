/// A kind of store as a value: what a host lists to say which backends it can use.
///
/// Backends are found as static members (`StorageBackend.sqlite`) in their own modules.
public struct StorageBackend: Sendable {
    /// The name in configurations, stamps and locations: `sqlite`.
    public let name: String
    /// One line for people who choose.
    public let summary: String
    /// The options that the backend understands, beside the ``StorageOption/common`` ones.
    public let options: [StorageOption]
    /// What its locations look like.
    public let locationForm: LocationForm
    private let meanings: @Sendable (StorageConfiguration) -> [String: String]
    private let finding: @Sendable (_ path: String) throws(StorageError) -> Bool
    private let preparing: @Sendable (StorageConfiguration) throws(StorageError) -> Void
    private let removing: (@Sendable (StorageConfiguration) throws(StorageError) -> Bool)?
    private let opening: @Sendable (StorageConfiguration) throws(StorageError) -> any SessionStorage

    /// What a location is.
    public enum LocationForm: Hashable, Sendable {
        /// A path of the file system.
        case path
        /// What follows the scheme of a URL, up to its options: `//user@host:5432/database/profile`.
        case address
    }

    /// - Parameters:
    ///   - locationForm: what its locations look like.
    ///   - meanings: see ``meanings(in:)``.
    ///   - prepare: see ``prepareBlocking(_:)``.
    ///   - hasStore: see ``hasStore(at:)``; for backends whose stores do not lie at paths there is none.
    ///   - remove: see ``removeBlocking(_:)``; `nil` for a backend that cannot remove its stores.
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
        opening = open
    }

    /// What the values of options amount to on this machine, by the option's name, where the value
    /// does not tell. For explanations; nothing is opened.
    public func meanings(in configuration: StorageConfiguration) -> [String: String] {
        meanings(configuration)
    }

    /// Whether a store of this backend lies at a path, by its contents, so that nobody needs to say which
    /// backend made it. Nothing is opened or changed.
    ///
    /// `false` if nothing is there, or something else. Throws if it cannot be looked at.
    public func hasStore(at path: String) throws(StorageError) -> Bool {
        do throws(StorageError) { return try finding(path) } catch { throw error.about(path) }
    }

    /// Makes what all stores of a place need before the first one can be made: the tables of a database.
    /// What is there stays. Does nothing for backends whose stores need nothing.
    ///
    /// Blocks; call ``prepare(_:)`` from tasks.
    public func prepareBlocking(_ configuration: StorageConfiguration) throws(StorageError) {
        try attempt(configuration) { () throws(StorageError) in try preparing(configuration) }
    }

    /// Makes what all stores of a place need before the first one can be made.
    public func prepare(_ configuration: StorageConfiguration) async throws(StorageError) {
        try await hop("prepare", configuration) { () throws(StorageError) in
            try prepareBlocking(configuration)
        }
    }

    /// Opens the store at the configuration's location, or makes a new one there.
    ///
    /// Blocks while it reads; call ``open(_:)-async`` from tasks. Unknown options and values of the
    /// wrong form are ``StorageError/Code/invalidConfiguration``. Every error names the location.
    public func openBlocking(_ configuration: StorageConfiguration) throws(StorageError)
        -> any SessionStorage
    {
        try attempt(configuration) { () throws(StorageError) in try opening(configuration) }
    }

    /// Opens the store at the configuration's location, or makes a new one there.
    /// Every error names the location.
    public func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await hop("open", configuration) { () throws(StorageError) in
            try openBlocking(configuration)
        }
    }

    /// Removes the store at the configuration's location with everything that belongs to it: both sides, what
    /// was set aside, and first the key of the incognito side in its key store. Returns whether there was one.
    ///
    /// Afterwards nothing is there: an opening with `create=false` throws ``StorageError/Code/notFound``. It
    /// goes as a whole: if the process is killed meanwhile, it is all there, or whoever opens or removes it
    /// next ends the removal first. Nothing is read of it but who made it and where its key is, so damaged
    /// records are no obstacle. Of a folder only the store's own files go, and the folder itself if
    /// nothing else is in it.
    ///
    /// Throws, and then has removed nothing:
    /// - ``StorageError/Code/locked`` if somebody has it open, this process too;
    /// - ``StorageError/Code/incompatibleFormat`` if another backend or a newer version made it,
    /// - ``StorageError/Code/corrupted`` or ``StorageError/Code/unsafeLocation`` if nobody can tell who did, or
    ///   the location is a file, a link, or belongs to somebody else;
    /// - ``StorageError/Code/keyUnavailable`` if the key cannot be destroyed: delete incognito first, which
    ///   gives it up;
    /// - ``StorageError/Code/permissionDenied``, also with `access=readOnly`;
    /// - ``StorageError/Code/unavailable`` if its server does not answer;
    /// - ``StorageError/Code/unsupported`` if this backend cannot remove stores.
    ///
    /// With the effect ``StorageError/Effect/applied`` the store is gone for every opening, but something of it
    /// is left; with ``StorageError/Effect/indeterminate`` nobody knows. Remove it again then.
    ///
    /// Blocks; call ``remove(_:)`` from tasks.
    @discardableResult
    public func removeBlocking(_ configuration: StorageConfiguration) throws(StorageError) -> Bool {
        try attempt(configuration) { () throws(StorageError) in
            guard let removing else {
                throw StorageError(
                    .unsupported, "backend '\(name)' cannot remove stores", operation: "remove")
            }
            return try removing(configuration)
        }
    }

    /// Removes the store at the configuration's location; see ``removeBlocking(_:)``. Returns whether there
    /// was one.
    @discardableResult
    public func remove(_ configuration: StorageConfiguration) async throws(StorageError) -> Bool {
        try await hop("remove", configuration) { () throws(StorageError) in
            try removeBlocking(configuration)
        }
    }

    /// Does what a call is for with options that are right; its errors name the location.
    private func attempt<Success>(
        _ configuration: StorageConfiguration, _ work: () throws(StorageError) -> Success
    ) throws(StorageError) -> Success {
        do throws(StorageError) {
            try configuration.validate(against: StorageOption.common + options, of: name)
            return try work()
        } catch { throw error.about(configuration.location) }
    }

    private func hop<Success: Sendable>(
        _ operation: String, _ configuration: StorageConfiguration,
        _ work: @escaping @Sendable () throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        do throws(StorageError) {
            return try await BlockingWork.run(operation, work)
        } catch { throw error.about(configuration.location) }
    }
}

/// Where a store is and how to use it.
public struct StorageConfiguration: Hashable, Sendable {
    /// Where the store is: the path of its directory, or an address; see
    /// ``StorageBackend/LocationForm``.
    public var location: String
    /// Values by option name; an option that is absent has its default.
    public var options: [String: OptionValue]

    public init(location: String, options: [String: OptionValue] = [:]) {
        self.location = location
        self.options = options
    }
}

/// What a store is opened for.
public enum StorageAccess: String, Hashable, Sendable, CaseIterable {
    case readWrite
    /// Nothing that the store holds or consists of is changed, whatever is found damaged, so that a medium
    /// that can only be read is enough. What it gives is what it held when it was opened; other openers may
    /// have it meanwhile. No generation is taken: ``SessionGeneration/previous`` is what the last opener that
    /// might change the store found. Every call that changes something is
    /// ``StorageError/Code/permissionDenied``.
    ///
    /// A backend that cannot do that refuses to open the store as ``StorageError/Code/unsupported``. One with
    /// files reads a copy of them, for which it needs as much space among the system's temporary files; while
    /// somebody has the store open, it is ``StorageError/Code/locked`` for readers, too. One with a server
    /// looks at one moment of it, beside the owner of the store.
    case readOnly
}

/// The value of an option.
public enum OptionValue: Hashable, Sendable {
    case bool(Bool)
    case integer(Int)
    case text(String)
}

/// An option that a backend understands.
public struct StorageOption: Hashable, Sendable {
    public var name: String
    public var kind: Kind
    public var defaultValue: OptionValue
    public var summary: String
    /// Whether the value must not be shown.
    public var isSecret: Bool

    /// The form of the values.
    public enum Kind: Hashable, Sendable {
        case bool
        case integer(ClosedRange<Int>)
        case choice([String])
        case text
    }

    public init(
        _ name: String,
        _ kind: Kind,
        default defaultValue: OptionValue,
        isSecret: Bool = false,
        summary: String
    ) {
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.isSecret = isSecret
        self.summary = summary
    }

    /// The options that every backend understands.
    public static let common: [StorageOption] = [
        StorageOption(
            "durability", .choice(Durability.allCases.map(\.rawValue)),
            default: .text(Durability.powerLoss.rawValue),
            summary: "what a save survives when the caller names no level"),
        StorageOption(
            "maximumStateBytes", .integer(1...1 << 30),
            default: .integer(StorageTraits.defaultMaximumStateBytes),
            summary: "the most bytes of one state blob"),
        StorageOption(
            "create", .bool, default: .bool(true),
            summary: "make a new store where there is none"),
        StorageOption(
            "access", .choice(StorageAccess.allCases.map(\.rawValue)),
            default: .text(StorageAccess.readWrite.rawValue),
            summary: "readOnly: nothing of the store is changed, not even by opening it"),
        StorageOption(
            "allowNetworkDisk", .bool, default: .bool(false),
            summary: "open stores on NFS and its kin, where locks and syncs may mean little"),
    ]
}
