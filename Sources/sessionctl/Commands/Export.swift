import ArgumentParser
import BrowserSessions
import Foundation
import LocalFiles
import SessionInterop
import StorageEngines
import ToolSupport

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes all sessions with their state as canonical JSON.")

    @Argument(help: "The file to write, which must not exist; - for standard output.")
    var path: String

    @Flag(name: .customLong("without-states"), help: "Leave the blobs of tabs out.")
    var withoutStates = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func run() async throws {
        try await store.withStore { store in
            let file = try openFile()
            let sink = CanonicalJSON.sink(to: file)
            do {
                try await CanonicalJSON.write(store, includingStates: !withoutStates, to: sink)
            } catch {
                // Half an export is worse than none.
                if path != "-" { try? FileManager.default.removeItem(atPath: path) }
                throw error
            }
            if path != "-" { try file.synchronize() }
        }
        guard path != "-" else { return }
        let bytes = try FileSystem.status(path)?.size ?? 0
        struct Answer: Encodable {
            var path: String
            var bytes: Int
        }
        try output.print(
            Answer(path: path, bytes: bytes), text: ["\(bytes) bytes written to \(path)"])
    }

    /// Sessions are private: only their owner may read the file.
    private func openFile() throws -> FileHandle {
        if path == "-" { return .standardOutput }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw StorageError.system("create", path)
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
