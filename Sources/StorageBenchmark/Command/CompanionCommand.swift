import ArgumentParser
import BrowserSessions
import ChildProcesses
import CommandLineSupport
import Foundation

/// A command that works at a store beside a process that measures, until its standard input ends.
struct CompanionCommand: BenchCommand {
    static let configuration = CommandConfiguration(
        commandName: CompanionOrder.commandName,
        abstract: "Works at a store beside another process of this program.",
        shouldDisplay: false)

    /// An owner saves the states of so many tabs, so that the store is not as it was closed.
    private static let savedTabs = 100

    @Argument var order: String

    func run(_ context: BenchContext) async throws -> Int32 {
        guard let order = try? JSONDecoder().decode(CompanionOrder.self, from: Data(order.utf8))
        else { throw ValidationError("this is for storagebench itself") }
        let contestant = try context.contestants.contestant(order.contestant)
        switch order.role {
        case .owner:
            let store = try contestant.open(order.location)
            try Self.say(try await Self.save(to: store))
            // waits: blocks in read until the other process closes the pipe
            _ = FileHandle.standardInput.readDataToEndOfFile()
            try await store.close()
        case .readers:
            // waits: each turn opens a reader
            repeat {
                let reader = try contestant.openReader(order.location)
                try Self.say(reader.sequence)
                try await reader.close()
            } while !Descriptor.hasMore(0)
        }
        return 0
    }

    /// Saves states of some tabs as they are. Returns the number of the last change set.
    private static func save(to store: any SessionStorage) async throws(StorageError) -> UInt64 {
        var sequence: UInt64 = 0
        for session in try await store.sessions() {
            let keys = try await store.stateKeys(in: session, at: .current).prefix(savedTabs)
            var changes = SessionChanges()
            for (key, blob) in try await store.states(of: Array(keys)) {
                changes.put(blob, for: key)
            }
            guard !keys.isEmpty else { continue }
            sequence = try await store.save(changes, durability: .powerLoss).sequence
        }
        return sequence
    }

    private static func say(_ number: UInt64) throws {
        try StandardStream.output.write("\(number)\n")
    }
}
