import BrowserSessions
import SessionSamples

extension ConformanceSuite {
    /// The order of tabs.
    @SuiteBuilder static var restoreOrder: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-7", .must,
            "Tabs come back ascending by their place, in whatever order they were put."
        )
        .tried("300 inserts and moves") { context in
            var generator = context.generator
            var window = Plain.window(1, tabs: 0..<2)
            try await context.reopeningIfPossible { store in
                _ = try await store.save(window.changes, durability: .memory)
                for number in 2..<302 {
                    let tab = edit(&window.tabs, number, &generator)
                    _ = try await store.save(
                        SessionChanges(.put(tab, in: window.id)), durability: .memory)
                    if number.isMultiple(of: 50) {
                        try await window.check(in: store, "after \(number) edits")
                    }
                }
            } check: { store in
                try await window.check(in: store, "after all edits")
            }
        }
        .tried("places of every length") { context in
            var window = Plain.window(1, tabs: 0..<0)
            window.tabs = try placesOfEveryLength().enumerated().map { number, place in
                var tab = Plain.tab(number)
                tab.place = place
                return tab
            }
            let changes = SessionChanges(all: window.changes.changes.reversed())
            try await context.reopeningIfPossible { store in
                _ = try await store.save(changes)
            } check: { store in
                try await window.check(in: store, "places of every length")
            }
        }
        .catches("sorts-by-id", says: "differs in id") {
            $0.restoring { $0.tabs.sort { $0.id < $1.id } }
        }
        .catches("cuts-places", says: "places of every length: tab") {
            $0.puttingTabs { tab in
                guard tab.place.length > 64 else { return }
                tab.place = OrderKey(bytes: tab.place.bytes.prefix(63) + [2]) ?? tab.place
            }
        }
        .catches("compares-eight-bytes", says: "places of every length") {
            $0.restoring { session in
                let keys = session.tabs.reversed().map { ($0, Array($0.place.bytes.prefix(8))) }
                session.tabs = keys.enumerated().sorted { left, right in
                    left.element.1 == right.element.1
                        ? left.offset < right.offset
                        : left.element.1.lexicographicallyPrecedes(right.element.1)
                }.map(\.element.0)
            }
        }
    }

    /// Inserts or moves a tab; returns the tab as it is now.
    private static func edit(
        _ tabs: inout [TabMetadata], _ number: Int, _ generator: inout SeededGenerator
    ) -> TabMetadata {
        var tab = Plain.tab(number)
        if generator.chance(1, in: 2) {
            tab = tabs.remove(at: generator.integer(in: 0...tabs.count - 1))
        }
        // Half of all edits are at one spot, where order keys grow long.
        let index =
            generator.chance(1, in: 2)
            ? tabs.count / 2 : generator.integer(in: 0...tabs.count)
        tab.place = .between(
            index > 0 ? tabs[index - 1].place : nil,
            and: index < tabs.count ? tabs[index].place : nil)
        if tab.place.length > OrderKey.maximumLength / 2 { tab.place = .between(nil, and: nil) }
        tabs.insert(tab, at: index)
        tabs.sort { $0.place < $1.place }
        return tab
    }

    /// Returns ascending order keys of every legal length, including bytes of 0x7F and above.
    private static func placesOfEveryLength() throws -> [OrderKey] {
        let places = [UInt8(1), 0x2F, 0x7F, 0x80, 0xFE, 0xFF].flatMap { first in
            (1...OrderKey.maximumLength).map {
                [UInt8](repeating: first, count: $0 - 1) + [max(first, 2)]
            }
        }
        return try places.map { bytes in
            guard let key = OrderKey(bytes: bytes) else {
                throw HarnessFault("an example of a place is not legal")
            }
            return key
        }.reduce(into: Set()) { $0.insert($1) }.sorted()
    }
}
