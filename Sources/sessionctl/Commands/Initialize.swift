import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Initialize: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Makes a new, empty store, and the tables that it needs; leaves what is there alone.")

    @Flag(help: "Only say which store would be made.")
    var dryRun = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func change() async throws {
        let selection = try store.resolve(to: .make)
        if !dryRun { try await selection.prepare() }
        let count = try await sessions(of: selection)
        let (backend, location) = (selection.backend.name, selection.location)
        let state = count.map { counted($0, "session") } ?? "would be made"
        try output.report(
            Answer(
                ["backend": backend, "location": location, "sessions": count],
                "\(backend) store at \(location), \(state)"))
    }

    /// Returns the number of sessions in the store. Makes the store if there is none; in a dry run,
    /// returns `nil` then.
    private func sessions(of selection: ResolvedSelection) async throws -> Int? {
        do {
            return try await withOpen(selection, to: .look) { try await Self.count($0) }
        } catch let error as StorageError where [.notFound, .unsupported].contains(error.code) {
            if dryRun { return nil }
            return try await withOpen(selection) { try await Self.count($0) }
        }
    }

    private static func count(_ store: any SessionStorage) async throws(StorageError) -> Int {
        try await store.sessions().count { $0.kind.role != .notes }
    }
}
