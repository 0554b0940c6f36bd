import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Initialize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Makes a new, empty store, and the tables that it needs; leaves what is there alone.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    private struct Answer: Encodable {
        var backend: String
        var location: String
        var sessions: Int
    }

    func run() async throws {
        let selection = try store.resolve(to: .make)
        try await selection.prepare()
        let count = try await sessions(of: selection)
        let answer = Answer(
            backend: selection.backend.name, location: selection.location,
            sessions: count)
        try output.print(
            answer,
            text: [
                "\(answer.backend) store at \(answer.location), "
                    + counted(answer.sessions, "session")
            ])
    }

    /// Returns the number of sessions in the store. Makes the store if there is none.
    private func sessions(of selection: ResolvedSelection) async throws -> Int {
        do {
            return try await store.withStore(to: .look) { try await Self.count($0) }
        } catch let error as StorageError where [.notFound, .unsupported].contains(error.code) {
            return try await withOpen(selection) { try await Self.count($0) }
        }
    }

    private static func count(_ store: any SessionStorage) async throws(StorageError) -> Int {
        try await store.sessions().count { $0.kind.role != .notes }
    }
}
