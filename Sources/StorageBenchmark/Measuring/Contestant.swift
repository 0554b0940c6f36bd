import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import LocalFiles

/// By what a child process finds its contestant again.
struct ContestantName: Codable, Hashable, Sendable {
    /// The name in tables.
    var label: String
    /// The name of a backend or reference design.
    var name: String
    /// The URL after `--storage`, if the contestant was named so.
    var url: String?

    init(_ name: String) { (label, self.name) = (name, name) }

    init(label: String, name: String, url: String) {
        (self.label, self.name, self.url) = (label, name, url)
    }
}

/// Something that is measured.
struct Contestant: Sendable {
    let name: ContestantName
    let role: BenchResult.Role
    let summary: String
    /// Where the stores are to be made if the user named a location.
    var location: String?
    var form = StorageBackend.LocationForm.path
    /// Removes a store at an address.
    var removeElsewhere: @Sendable (_ location: String) async throws(StorageError) -> Void = { _ in
    }
    /// Opens the store at a path, or makes it.
    let open: @Sendable (_ location: String) throws(StorageError) -> any SessionStorage

    /// Where a store is that belongs to a folder of the run.
    func location(in folder: String) -> String {
        guard form == .address, let location else { return "\(folder)/store" }
        let names = folder.split(separator: "/").suffix(2).joined(separator: "-")
        return "\(location)/\(names)"
    }

    /// Removes a store that nobody has open.
    func remove(_ location: String) async throws(StorageError) {
        guard form == .address else { return try FileSystem.remove(location) }
        try await removeElsewhere(location)
    }

    /// Removes whatever a child has left at an address, however it ended.
    func removeAll(of order: ChildOrder, _ outcome: ChildOutcome) async throws(StorageError) {
        guard form == .address else { return }
        var folders = [order.folder]
        let isSound = outcome.problem == nil && outcome.answers.allSatisfy(\.isSound)
        if !isSound { folders += order.jobs.indices.map { Worker.folder(after: $0, of: order) } }
        for folder in folders {
            for suffix in [""] + Scene.otherStores {
                try await remove(location(in: folder) + suffix)
            }
        }
    }
}

/// Finds contestants by name.
struct Contestants: Sendable {
    let registry: BackendRegistry

    /// New values each time: two dry stores must not share what they hold.
    static var builtIn: [Contestant] { [.wholeWindowJSON, .listAndFiles, .dry] }

    /// Those that can be measured where nobody names a location.
    var names: [String] {
        registry.names.filter { registry[$0]?.locationForm == .path }
            + Self.builtIn.map(\.name.name)
    }

    var all: [Contestant] { names.compactMap { contestant(named: $0) } }

    func contestant(named name: String) -> Contestant? {
        if let backend = registry[name] {
            return Contestant(name: ContestantName(name), role: .backend, summary: backend.summary)
            { location throws(StorageError) in
                try backend.openBlocking(StorageConfiguration(location: location))
            }
        }
        return Self.builtIn.first { $0.name.name == name }
    }

    /// What a URL names. The location of the URL is only the place where stores are made.
    func contestant(url: String, label: String? = nil) throws(StorageError) -> Contestant {
        let request = SelectionRequest(
            storage: url, environment: OwnProgram.environment,
            workingDirectory: OwnProgram.workingDirectory)
        let selection = try request.resolve(registry: registry)
        let (backend, configuration) = (selection.backend, selection.configuration)
        let name = ContestantName(label: label ?? backend.name, name: backend.name, url: url)
        return Contestant(
            name: name, role: backend.name == BareClients.name ? .reference : .backend,
            summary: backend.summary, location: configuration.location, form: backend.locationForm,
            removeElsewhere: { location throws(StorageError) in
                try await backend.remove(
                    StorageConfiguration(location: location, options: configuration.options))
            }
        ) { location throws(StorageError) in
            try backend.openBlocking(
                StorageConfiguration(location: location, options: configuration.options))
        }
    }

    /// The one that the parent means.
    func contestant(_ name: ContestantName) throws(StorageError) -> Contestant {
        if let url = name.url { return try contestant(url: url, label: name.label) }
        if let contestant = contestant(named: name.name) { return contestant }
        throw StorageError(.invalidConfiguration, "there is no backend '\(name.name)'")
    }
}
