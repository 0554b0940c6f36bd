import ArgumentParser
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes all sessions with their state as canonical JSON.",
        discussion: """
            If a part of them cannot be read, nothing is written but with --partial; the exit code is \
            1 in either case.
            """)

    @Argument(help: "The file to write, which must not exist; - for standard output.")
    var path: String

    @Flag(name: .customLong("without-states"), help: "Leave the blobs of tabs out.")
    var withoutStates = false

    @Flag(help: "Write what can be read, if not all of it can.")
    var partial = false

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    private struct Answer: Encodable {
        var path: String
        var bytes: Int
    }

    func run() async throws {
        let file = path == "-" ? nil : try NewFile(path)
        let losses = try await store.tellingLosses(isPartial: partial) { store, losses in
            try await CanonicalJSON.write(
                store, includingStates: !withoutStates, losses: losses, to: sink(file))
        }
        try file?.finish()
        if let file {
            let answer = Answer(path: path, bytes: file.bytes)
            let size = counted(answer.bytes, "byte")
            try output.print(answer, text: ["\(size) written to \(path)"])
        }
        try losses.conclude()
    }

    private func sink(_ file: NewFile?) -> CanonicalJSON.Sink {
        { bytes throws(StorageError) in
            guard let file else { return try Console.export(bytes) }
            try file.write(bytes)
        }
    }
}
