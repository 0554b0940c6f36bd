import BrowserModel
import BrowserSessions
import Expectations
import SessionSamples
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// What a restorer notes in properties and fields is on a disk between two processes.
@MainActor
@Suite("Numbers of a restorer's own that another program wrote", .timeLimit(.minutes(10)))
struct HostileNumberTests {
    private static let texts =
        HostileBytes.numbers.map { "\($0)" } + ["-1", "-9223372036854775808", "1e9", ""]

    /// Puts other numbers in the place of those in the restorer's own properties.
    private func rewrite(_ properties: inout [String: String], _ generator: inout SeededGenerator) {
        for name in properties.keys.sorted() where name.hasPrefix(OwnProperty.prefix) {
            guard let text = properties[name], generator.chance(1, in: 2) else { continue }
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            let new = words.map { word in
                Int64(word) == nil ? String(word) : generator.pick(Self.texts)
            }
            properties[name] = new.joined(separator: " ")
        }
    }

    private func time(_ generator: inout SeededGenerator) -> Timestamp {
        Timestamp(microseconds: Int64(bitPattern: generator.pick(HostileBytes.numbers)))
    }

    private func rewriteAll(in store: MemoryStorage, _ generator: inout SeededGenerator)
        async throws
    {
        var changes = SessionChanges()
        for session in store.snapshots where session.id.partition == .regular {
            var attributes = session.attributes
            rewrite(&attributes.properties, &generator)
            if generator.chance(1, in: 3) { attributes.lastActiveAt = time(&generator) }
            changes.put(attributes, for: session.id)
            for tab in session.tabs {
                var metadata = tab.metadata
                rewrite(&metadata.properties, &generator)
                if generator.chance(1, in: 3) { metadata.lastActiveAt = time(&generator) }
                if generator.chance(1, in: 3) {
                    metadata.navigationItemCount = generator.pick([.min, -1, 0, .max])
                }
                changes.put(metadata, in: session.id)
            }
        }
        _ = try await store.save(changes)
    }

    @Test(
        "Stop no process, and take no open tab away",
        arguments: 0..<TestRun.amount(12, nightly: 500))
    func anyNumber(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let first = try await Host.firstProcess()
        let window = try await first.fillEveryPlace()
        try await first.restorer.save()
        let open = window.tabs.tabs.map(\.id)
        let base = try require(first.storage.base as? MemoryStorage)
        try await rewriteAll(in: base, &generator)
        let host = try await first.killed(after: .seconds(generator.integer(in: 1...1_000_000)))
        while !host.restorer.closed.tabs.isEmpty {
            let count = host.restorer.closed.tabs.count
            try host.restorer.closed.reopenLast()
            try require(host.restorer.closed.tabs.count < count)
        }
        for window in host.restorer.report?.backups ?? [] {
            try host.restorer.closeAll.undo(in: window)
        }
        try host.restorer.inactive.moveUnused()
        try await host.restorer.save()
        // In a window, or set aside because of the time that it seems to be from.
        let left = try host.everyTab()
        expect(open.allSatisfy { left[$0] == 1 })
        try await host.restorer.close()
    }
}
