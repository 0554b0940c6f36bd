import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
import SessionInterop
import ToolSupport

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies all sessions from one store to a new one and compares the two.",
        discussion: """
            The source stays as it is. Incognito sessions are copied only if asked. A copy that was \
            interrupted goes on when it is run again.
            """)

    @Option(help: "The store to copy, as a URL.")
    var from: String

    @Option(help: "The new store, as a URL; it must not hold sessions.")
    var to: String

    @Flag(name: .customLong("include-incognito"), help: "Also copy incognito sessions.")
    var includesIncognito = false

    @Flag(help: "Copy what can be read, if not all of it can.")
    var partial = false

    @Flag(help: "Only say what would be copied.")
    var dryRun = false

    @OptionGroup var output: FormatArguments

    private struct Answer: Encodable {
        var sessions: Int
        var tabs: Int
        var states: Int
        /// How many of the sessions the target held before.
        var sessionsThere: Int
        /// Of both stores; absent if nothing was copied.
        var sha256: String?
    }

    func run() async throws {
        let source = try resolve(from, create: false)
        let target = try resolve(to, create: true)
        let place = source.configuration.location
        var copied = SessionCopy.Result()
        let losses = try await withOpen(source) { source in
            try await LossesToTell.telling(
                of: source, at: place, isPartial: partial
            ) { losses in
                copied = try await withOpen(target) { target in
                    try await copy(source, target, losses)
                }
            }
        }
        let answer = Answer(
            sessions: copied.sessions, tabs: copied.tabs, states: copied.states,
            sessionsThere: copied.sessionsThere, sha256: dryRun ? nil : copied.digest)
        try output.print(answer, text: lines(copied))
        try losses.conclude()
    }

    private func copy(
        _ source: any SessionStorage, _ target: any SessionStorage, _ losses: LossHandler?
    ) async throws -> SessionCopy.Result {
        let copy = SessionCopy(from: source, to: target, includingIncognito: includesIncognito)
        if dryRun { return try await copy.plan(losses: losses) }
        let copying = Progress("copying", "tab")
        let comparing = Progress("comparing", "tab")
        defer {
            copying.finish()
            comparing.finish()
        }
        return try await copy.run(losses: losses) { step, tabs, total in
            (step == .copying ? copying : comparing).update(tabs, of: total)
        }
    }

    private func lines(_ copied: SessionCopy.Result) -> [String] {
        let amount = [
            counted(copied.sessions, "session"), counted(copied.tabs, "tab"),
            counted(copied.states, "state"),
        ].joined(separator: ", ")
        let there = counted(copied.sessionsThere, "of these sessions was", "of these sessions were")
        return [dryRun ? "\(amount) would be copied" : "\(amount) copied"]
            + (copied.sessionsThere > 0 ? ["\(there) there already, whole or in part"] : [])
            + (dryRun ? [] : ["both stores hold the same: \(copied.digest)"])
    }

    private func resolve(_ url: String, create: Bool) throws(StorageError) -> ResolvedSelection {
        let request = SelectionRequest(
            storage: url, environment: [:],
            workingDirectory: FileManager.default.currentDirectoryPath)
        return try request.resolve(
            registry: .tool(), code: create ? nil : .code(options: ["create": .bool(false)]))
    }
}
