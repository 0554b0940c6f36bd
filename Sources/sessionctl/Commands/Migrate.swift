import ArgumentParser
import BackendSelection
import BrowserSessions
import Foundation
import SessionInterop
import ToolSupport

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies all sessions from one store to a new one and compares the two.",
        discussion: "The source stays as it is. Incognito sessions are copied only if asked.")

    @Option(help: "The store to copy, as a URL.")
    var from: String

    @Option(help: "The new store, as a URL; it must not hold sessions.")
    var to: String

    @Flag(name: .customLong("include-incognito"), help: "Also copy incognito sessions.")
    var includesIncognito = false

    @OptionGroup var output: FormatArguments

    func run() async throws {
        let source = try resolve(from, create: false)
        let target = try resolve(to, create: true)
        let copy = try await withOpen(source) { source in
            try await withOpen(target) { target in
                let progress = Progress("copying")
                defer { progress.finish() }
                return try await SessionCopy(
                    from: source, to: target, includingIncognito: includesIncognito
                ).run(progress: { progress.update($0) })
            }
        }
        struct Answer: Encodable {
            var sessions: Int
            var tabs: Int
            var states: Int
            var sha256: String
        }
        let answer = Answer(
            sessions: copy.sessions, tabs: copy.tabs, states: copy.states, sha256: copy.digest)
        try output.print(
            answer,
            text: [
                "\(copy.sessions) sessions, \(copy.tabs) tabs, \(copy.states) states copied",
                "both stores hold the same: \(copy.digest)",
            ])
    }

    private func resolve(_ url: String, create: Bool) throws(StorageError) -> ResolvedSelection {
        let request = SelectionRequest(
            storage: url, environment: [:],
            workingDirectory: FileManager.default.currentDirectoryPath)
        return try request.resolve(
            registry: .tool(), code: create ? nil : .code(options: ["create": .bool(false)]))
    }
}
