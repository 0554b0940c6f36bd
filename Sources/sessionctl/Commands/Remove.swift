import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import StorageEngines
import ToolSupport

struct Remove: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a whole store, with everything that belongs to it.",
        discussion: """
            Says which store that is and what it holds, and asks; without a terminal to ask at, --yes is \
            needed. Of a folder only the store's own files go.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    @Flag(help: "Remove it without asking.")
    var yes = false

    @Flag(help: "Only say what would be removed.")
    var dryRun = false

    func change() async throws {
        let selection = try store.named.resolve(store.store, to: .change, isNamed: true)
        let found = try await FoundStore(selection, onlyLooking: dryRun)
        let answer = Answer(value: found, "\(found.text) \(done("removed"))")
        if dryRun { return try output.report(answer) }
        if !yes { try Self.ask(about: found) }
        guard try await selection.remove() else {
            throw StorageError(
                .notFound, "the store at '\(found.location)' was removed meanwhile")
        }
        try output.report(answer)
        if selection.backend.locationForm == .path {
            Self.tellOthers(in: selection.configuration.location)
        }
    }

    /// Checks the folder again, and reports other content, which is not the store's and stays.
    private static func tellOthers(in folder: String) {
        do throws(StorageError) {
            guard try FileSystem.status(folder)?.kind == .directory else { return }
            let names = try FileSystem.contents(of: folder)
            if names.isEmpty { return }
            let list = names.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
            let more = names.count > 10 ? " and \(names.count - 10) more" : ""
            Console.remark(
                "the folder '\(folder)' stays, with what is not the store's: \(list)\(more)")
        } catch {
            Console.remark("what else is in '\(folder)' cannot be said: \(error.message)")
        }
    }

    /// Asks a person, and throws unless the person agrees.
    private static func ask(about found: FoundStore) throws {
        guard StandardStream.input.isTerminal else {
            throw ValidationError("--yes is needed to remove the \(found.text)")
        }
        Console.message("The \(found.text) will be removed for good. Type yes to go on:")
        guard readLine() == "yes" else {
            Console.message("nothing was removed")
            throw ExitCode.impossible
        }
    }
}

/// A description of a store before it is removed.
private struct FoundStore: Encodable {
    let backend: String
    let location: String
    /// The numbers of regular sessions and of their tabs; `nil` if they cannot be read.
    let sessions: Int?
    let tabs: Int?
    /// The store that owns the incognito key of this one, which stays; `nil` if there is none.
    private(set) var incognitoKeyStays: String?

    /// Examines the store without changing it, if its backend supports that.
    ///
    /// - Parameter isLook: whether the store must not be opened otherwise.
    init(_ selection: ResolvedSelection, onlyLooking isLook: Bool) async throws {
        backend = selection.backend.name
        location = selection.location
        do {
            let store = try await Self.open(selection, onlyLooking: isLook)
            let summaries = try await store.whileOpen { store in
                try await store.summaries().filter {
                    $0.id.partition == .regular && $0.id.kind.role != .notes
                }
            }
            incognitoKeyStays = store.traits.incognitoKeyOwner
            (sessions, tabs) = (summaries.count, summaries.reduce(0) { $0 + $1.tabCount })
        } catch let error as StorageError where [.corrupted, .outOfSpace].contains(error.code) {
            // A store that is damaged, or too large to copy, can still be removed.
            Console.message("what the store holds cannot be read: \(error.message)")
            (sessions, tabs) = (nil, nil)
        }
    }

    private static func open(_ selection: ResolvedSelection, onlyLooking isLook: Bool)
        async throws(StorageError) -> any SessionStorage
    {
        if isLook { return try await selection.openBesideOwner(to: .look) }
        do throws(StorageError) {
            return try await selection.open(to: .look)
        } catch {
            guard error.code == .unsupported else { throw error }
            return try await selection.open()
        }
    }

    var text: String {
        let contents =
            if let sessions, let tabs {
                counted(sessions, "session") + " and " + counted(tabs, "tab")
            } else { "contents that cannot be read" }
        let key = incognitoKeyStays.map {
            " (not the incognito key, which is that of the store at \(Redaction.location($0)))"
        }
        return "\(backend) store at \(location) with \(contents)\(key ?? "")"
    }
}
