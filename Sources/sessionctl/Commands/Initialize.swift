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

    private struct Answer: Encodable {
        var backend: String
        var location: String
        /// `nil` if there is no store yet.
        var sessions: Int?
    }

    func change() async throws {
        let selection = try store.resolve(to: .make)
        if !dryRun { try await selection.prepare() }
        let count = try await sessions(of: selection)
        let answer = Answer(
            backend: selection.backend.name, location: selection.location,
            sessions: count)
        try output.report(
            answer,
            text: [
                "\(answer.backend) store at \(answer.location), "
                    + (count.map { counted($0, "session") } ?? "would be made")
            ])
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
