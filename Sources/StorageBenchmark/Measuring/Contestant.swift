import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import StorageEngines

/// The identity of a contestant for a child process.
struct ContestantName: Codable, Hashable, Sendable {
    /// The name in tables.
    var label: String
    /// The name of a backend or reference design.
    var name: String
    /// The URL after `--storage`; `nil` if a name selected the contestant.
    var url: String?
}

extension ContestantName {
    init(_ name: String) { self.init(label: name, name: name) }
}

/// A backend or design to measure.
struct Contestant: Sendable {
    /// The suffixes of the locations of a workload's further stores.
    static let (extra, other) = ("-extra", "-other")

    let name: ContestantName
    let role: BenchResult.Role
    let summary: String
    /// The location for the stores; `nil` if the user named none.
    var location: String?
    var form = StorageBackend.LocationForm.path
    /// The backend and its options, for what only backends do; `nil` for another design.
    var backend: StorageBackend?
    var options: [String: OptionValue] = [:]
    /// Opens the store at a location. Makes the store if it does not exist.
    let open: @Sendable (_ location: String) throws(StorageError) -> any SessionStorage

    /// Opens the store of a backend with options in addition to those of the contestant.
    func open(_ location: String, adding options: [String: OptionValue]) throws(StorageError)
        -> any SessionStorage
    {
        if options.isEmpty { return try open(location) }
        return try requireBackend().openBlocking(configuration(location, adding: options))
    }

    /// Opens a reader beside the owner of a store.
    func openReader(_ location: String) throws(StorageError) -> StoreReader {
        try requireBackend().openReaderBlocking(configuration(location))
    }

    /// Makes a backup beside the owner of a store.
    func backUp(_ location: String, to path: String) throws(StorageError) -> StoreBackup {
        try requireBackend().backUpBlocking(configuration(location), to: path)
    }

    private func configuration(_ location: String, adding more: [String: OptionValue] = [:])
        -> StorageConfiguration
    {
        StorageConfiguration(location: location, options: options.merging(more) { $1 })
    }

    private func requireBackend() throws(StorageError) -> StorageBackend {
        guard let backend else { throw StorageError(.unsupported, "it is no backend") }
        return backend
    }

    /// Returns the location of the store for a folder of the run.
    func location(in folder: String) -> String {
        guard form == .address, let location else { return "\(folder)/store" }
        let names = folder.split(separator: "/").suffix(2).joined(separator: "-")
        return "\(location)/\(names)"
    }

    /// Removes a store that is not open.
    func remove(_ location: String) async throws(StorageError) {
        guard form == .address else { return try FileSystem.remove(location) }
        try await requireBackend().remove(configuration(location))
    }

    /// Removes everything that a child left at an address, however the child ended.
    func removeAll(of order: JobOrder, _ outcome: ChildOutcome) async throws(StorageError) {
        guard form == .address else { return }
        var folders = [order.folder]
        let isSound = outcome.problem == nil && outcome.answers.allSatisfy(\.isSound)
        if !isSound { folders += order.jobs.indices.map { order.folder(after: $0) } }
        for folder in folders {
            for suffix in ["", Self.extra, Self.other] {
                try await remove(location(in: folder) + suffix)
            }
        }
    }
}

/// A lookup of contestants by name.
struct Contestants: Sendable {
    let registry: BackendRegistry

    /// The built-in contestants, new each time, because two dry stores must not share their content.
    static var builtIn: [Contestant] { [.wholeWindowJSON, .listAndFiles, .tabDB, .dry] }

    /// The names of contestants that need no named location.
    var names: [String] {
        registry.names.filter { registry[$0]?.locationForm == .path }
            + Self.builtIn.map(\.name.name)
    }

    var all: [Contestant] { names.compactMap { contestant(named: $0) } }

    func contestant(named name: String) -> Contestant? {
        if let backend = registry[name] {
            return Contestant(
                name: ContestantName(name), role: .backend, summary: backend.summary,
                backend: backend
            ) { location throws(StorageError) in
                try backend.openBlocking(StorageConfiguration(location: location))
            }
        }
        return Self.builtIn.first { $0.name.name == name }
    }

    /// Returns the contestant of a URL, with the location for its stores.
    func contestant(url: String, label: String? = nil) throws(StorageError) -> Contestant {
        let request = SelectionRequest(
            storage: url, environment: OwnProgram.environment,
            workingDirectory: OwnProgram.workingDirectory)
        let selection = try request.resolve(registry: registry)
        let (backend, configuration) = (selection.backend, selection.configuration)
        let name = ContestantName(label: label ?? backend.name, name: backend.name, url: url)
        return Contestant(
            name: name, role: .backend,
            summary: backend.summary, location: configuration.location, form: backend.locationForm,
            backend: backend, options: configuration.options
        ) { location throws(StorageError) in
            try backend.openBlocking(
                StorageConfiguration(location: location, options: configuration.options))
        }
    }

    /// Returns the contestant that the parent named.
    func contestant(_ name: ContestantName) throws(StorageError) -> Contestant {
        if let url = name.url { return try contestant(url: url, label: name.label) }
        if let contestant = contestant(named: name.name) { return contestant }
        throw StorageError(.invalidConfiguration, "there is no backend '\(name.name)'")
    }
}
