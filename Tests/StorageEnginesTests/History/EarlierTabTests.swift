import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

@Suite("tabs that only restore points have")
struct EarlierTabTests {
    @Test("A tab that is gone is as at the newest point that has it")
    func newest() async throws {
        let fixture = try StoreFixture()
        var window = StoreFixture.window(3)
        window.attributes.title = "Work"
        try fixture.save(window)
        try fixture.keepPoint()
        window.tabs[0].metadata.title = "second title"
        try fixture.save(.put(window.tabs[0].metadata, in: window.id))
        let second = try fixture.keepPoint()
        try fixture.save(.remove(window.tabs[0].metadata.id, from: window.id))
        let expected = EarlierTab(
            window.tabs[0].metadata, in: window.id, titled: "Work", at: second.id)
        expect(try await fixture.store.earlierTabs() == [expected])
        try fixture.keepPoint()
        expect(try await fixture.store.earlierTabs() == [expected])
        // One that only moved is not gone.
        let other = SessionID(window: .random(), kind: .recentlyClosed)
        try fixture.save(.put(window.tabs[1].metadata, in: other))
        expect(try await fixture.store.earlierTabs() == [expected])
        try fixture.save(.remove(window.id))
        let ids = try await fixture.store.earlierTabs().map(\.tab.id)
        expect(ids.count == 2 && ids.first == window.tabs[2].metadata.id)
    }

    @Test("The one scan finds what reading every point finds", arguments: 21...26)
    func equalsReading(seed: UInt64) async throws {
        let fixture = try StoreFixture()
        var sampler = SessionSampler(seed: seed)
        var windows = sampler.windows(3, tabs: 8)
        for window in windows { try fixture.save(window) }
        for step in 1...60 {
            let edit = sampler.randomEdit(of: windows)
            _ = try fixture.store.saveBlocking(edit.changes)
            windows = edit.expected
            if step % 9 == 0 { try fixture.keepPoint() }
        }
        let found = try await fixture.store.earlierTabs()
        expect(found, is: (try await PlainStorage(base: fixture.store).earlierTabs()))
        expect(!found.isEmpty)
    }

    @Test("Many tabs that are gone, which are read by one scan, are as each of them was")
    func many() async throws {
        let fixture = try StoreFixture()
        var window = StoreFixture.window(400)
        try fixture.save(window)
        try fixture.keepPoint()
        for index in 0..<300 {
            window.tabs[index].metadata.title = "second title"
            try fixture.save(.put(window.tabs[index].metadata, in: window.id))
        }
        try fixture.keepPoint()
        try fixture.save(.remove(window.id))
        let found = try await fixture.store.earlierTabs()
        expect(found.count, is: 400)
        expect(found, is: (try await PlainStorage(base: fixture.store).earlierTabs()))
    }

    @Test("Nothing there and nothing that can be read are not the same")
    func damage() async throws {
        let fixture = try StoreFixture()
        expect(try await fixture.store.earlierTabs() == [])
        let window = StoreFixture.window(2)
        try fixture.save(window)
        try fixture.keepPoint()
        expect(try await fixture.store.earlierTabs() == [])
        try fixture.save(.remove(window.id))
        try fixture.edit { records in
            for key in records[.state, default: .init()].keys {
                let version = key.withUnsafeBytes { StateKey($0) }
                guard case .version(.record(.tab, _), _, _)? = version else { continue }
                records[.state]?[key]?[0] ^= 1
            }
        }
        let harmed = await expect(throws: StorageError.self) {
            try await fixture.store.earlierTabs()
        }
        expect(harmed?.code, is: .corrupted)
        try fixture.edit { records in
            for key in records[.state, default: .init()].keys where key[0] == StateKey.Tag.version {
                records[.state]?[key] = nil
            }
        }
        let missing = await expect(throws: StorageError.self) {
            try await fixture.store.earlierTabs()
        }
        expect(missing?.code, is: .corrupted)
        try await fixture.store.close()
        let closed = await expect(throws: StorageError.self) {
            try await fixture.store.earlierTabs()
        }
        expect(closed?.code, is: .closed)
    }
}
