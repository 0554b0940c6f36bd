public import BrowserSessions
import Foundation
import StorageEngines

/// A harness for a backend that stores each store in a directory, or wherever its locations point.
public struct BackendHarness: StorageHarness {
    /// The backend under test, which opens and removes the stores.
    public var backend: StorageBackend
    public var label: String
    /// Options that every call to open passes.
    public var baseOptions: [String: OptionValue]
    /// The directory in which each store gets a directory of its own.
    public var folder: String
    public var persistence: HarnessPersistence
    public var child: ChildCommand?
    public var takeOver: Takeover?
    public var makeLink: MediumLink.Maker?
    public var troubles: MediumTroubles?

    /// - Parameters:
    ///   - backend: the backend to check.
    ///   - label: distinguishes this harness from others of the same test with a backend of the
    ///     same name; `nil` means the backend's name.
    ///   - options: options that every call to open passes.
    ///   - folder: where stores are made; `nil` means the system's temporary directory.
    ///   - persistence: how long saved content lasts; `nil` derives it from the form of the
    ///     backend's locations: files for paths, elsewhere for addresses.
    ///   - child: how to start another process with this harness; see
    ///     ``ConformanceCase/check(_:seed:depth:keep:function:)``, which finds it by itself.
    ///   - takeOver: takes a store from its owner; see ``StorageHarness/takeOver``.
    ///   - makeLink: how to reach stores over a link; see ``StorageHarness/makeLink``.
    ///   - troubles: what can happen to their medium; see ``StorageHarness/troubles``.
    public init(
        _ backend: StorageBackend, label: String? = nil, options: [String: OptionValue] = [:],
        folder: String? = nil, persistence: HarnessPersistence? = nil, child: ChildCommand? = nil,
        takeOver: Takeover? = nil, makeLink: MediumLink.Maker? = nil,
        troubles: MediumTroubles? = nil
    ) {
        self.backend = backend
        self.label = label ?? backend.name
        baseOptions = options
        self.folder = folder ?? NSTemporaryDirectory()
        self.persistence = persistence ?? (backend.locationForm == .path ? .files : .elsewhere)
        self.child = child
        self.takeOver = takeOver
        self.makeLink = makeLink
        self.troubles = troubles
    }

    public var name: String { backend.name }
    public var options: [StorageOption] { backend.options }

    public func makeLocation() async throws -> String {
        var path = folder
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return "\(path)/browser-sessions-conformance-\(UUID().uuidString)"
    }

    private func withBaseOptions(_ configuration: StorageConfiguration) -> StorageConfiguration {
        let options = configuration.options.merging(baseOptions) { given, _ in given }
        return StorageConfiguration(location: configuration.location, options: options)
    }

    public func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try await backend.open(withBaseOptions(configuration))
    }

    public func openReader(_ configuration: StorageConfiguration) async throws(StorageError)
        -> StoreReader
    {
        try await backend.openReader(withBaseOptions(configuration))
    }

    public func backUp(_ configuration: StorageConfiguration, to path: String)
        async throws(StorageError) -> StoreBackup
    {
        try await backend.backUp(withBaseOptions(configuration), to: path)
    }

    public func removeStore(_ configuration: StorageConfiguration) async throws(StorageError)
        -> Bool
    {
        try await backend.remove(withBaseOptions(configuration))
    }

    public func removeLocation(_ location: String) async throws {
        if persistence == .process || persistence == .elsewhere { try await clear(location) }
        if backend.locationForm == .path { try FileSystem.remove(location) }
    }

    /// Removes the store, or empties it if the backend cannot remove stores. Leaves a store that is
    /// still open to its owner.
    private func clear(_ location: String) async throws(StorageError) {
        do throws(StorageError) {
            _ = try await removeStore(StorageConfiguration(location: location))
        } catch {
            switch error.code {
            case .locked: return
            case .unsupported: try await empty(location)
            default: throw error
            }
        }
    }

    private func empty(_ location: String) async throws(StorageError) {
        let store: any SessionStorage
        do throws(StorageError) {
            store = try await open(StorageConfiguration(location: location))
        } catch {
            guard error.code == .locked else { throw error }
            return
        }
        var changes = SessionChanges()
        for id in try await store.sessions() where id.partition == .regular { changes.remove(id) }
        _ = try await store.save(changes)
        try await store.deleteIncognito()
        try await store.close()
    }
}
