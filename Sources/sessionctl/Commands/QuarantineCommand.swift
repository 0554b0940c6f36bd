import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import StorageEngines
import ToolSupport

struct QuarantineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Lists, shows and removes damaged bytes that were set aside.",
        discussion: """
            They are kept for 30 days at most, by a count of the store's own that a wrong clock cannot move, \
            and hold addresses and titles.
            """,
        subcommands: [ListItems.self, ShowItem.self, Purge.self], defaultSubcommand: ListItems.self)

    struct ListItems: LookingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists what was set aside, oldest first.")

        @OptionGroup var store: StoreArguments
        @OptionGroup var output: FormatArguments

        func look() async throws {
            let items = try await QuarantineListing.items(of: try store.resolve(to: .look))
            try output.print(Answer(QuarantineListing.table(items)))
        }
    }

    struct ShowItem: LookingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows why something was set aside, and the pages that can be read in it.")

        @Argument(help: "The item as 'list' names it, or the beginning of that.")
        var item: String

        @OptionGroup var store: StoreArguments
        @OptionGroup var output: FormatArguments

        func look() async throws {
            let items = try await QuarantineListing.items(of: try store.resolve(to: .look))
            let found = items.filter { $0.item.hasPrefix(item) }
            guard let one = found.first else {
                throw StorageError(
                    .notFound,
                    "the quarantine has nothing that begins with '\(item)'; see 'quarantine list'",
                    operation: "show")
            }
            guard found.count == 1 else {
                throw StorageError(item, mayBe: found.map(\.item), operation: "show")
            }
            try output.print(one.answer)
        }
    }

    struct Purge: ChangingCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge",
            abstract: "Removes everything that was set aside.")

        @Flag(help: "Only say what would be removed.")
        var dryRun = false

        @OptionGroup var store: StoreArguments
        @OptionGroup var output: FormatArguments

        func change() async throws {
            let selection = try store.resolve(to: purpose)
            let items = try await QuarantineListing.items(of: selection)
            let left = try await withOpen(selection) { store in
                if !dryRun { try await store.erase(.quarantine) }
                return try selection.use()?.quarantine ?? 0
            }
            let before = items.reduce(0) { $0 + $1.bytes }
            let bytes = dryRun ? before : max(0, before - left)
            let amount = "\(counted(items.count, "item")) of \(ByteWords.words(bytes))"
            try output.report(
                Answer(
                    ["isDryRun": dryRun, "items": items, "bytes": bytes],
                    items.isEmpty ? nil : QuarantineListing.table(items),
                    "\(amount) \(done("removed"))"))
        }
    }
}
