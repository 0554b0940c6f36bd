import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation
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
            try output.print(
                items,
                styled: QuarantineListing.table(items, TimeWords()).styledLines()
                    + (items.isEmpty ? [StyledLine("nothing was set aside")] : []))
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
            guard let one = found.first, found.count == 1 else {
                throw StorageError(
                    found.isEmpty ? .notFound : .invalidConfiguration,
                    found.isEmpty
                        ? "the quarantine has nothing that begins with '\(item)'; see 'quarantine list'"
                        : "'\(item)' may be "
                            + found.map(\.item).joined(separator: ", ") + ": write more of it",
                    operation: "show")
            }
            try output.print(one, text: one.lines)
        }
    }

    struct Purge: ChangingCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes everything that was set aside.")

        @Flag(help: "Only say what would be removed.")
        var dryRun = false

        @OptionGroup var store: StoreArguments
        @OptionGroup var output: FormatArguments

        private struct Answer: Encodable {
            var isDryRun: Bool
            var items: [QuarantineListing]
            var bytes: Int
        }

        func change() async throws {
            let selection = try store.resolve(to: dryRun ? .look : .change)
            let items = try await QuarantineListing.items(of: selection)
            let left = try await withOpen(selection) { store in
                if !dryRun { try await store.purgeQuarantine() }
                return try selection.use()?.quarantine ?? 0
            }
            let before = items.reduce(0) { $0 + $1.bytes }
            let answer = Answer(
                isDryRun: dryRun, items: items, bytes: dryRun ? before : max(0, before - left))
            let amount = "\(counted(items.count, "item")) of \(ByteWords.words(answer.bytes))"
            try output.report(
                answer,
                text: QuarantineListing.table(items, TimeWords()).lines
                    + ["\(amount) \(dryRun ? "would be removed" : "removed")"])
        }
    }
}
