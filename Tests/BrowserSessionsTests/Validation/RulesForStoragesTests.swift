import BrowserSessions
import Expectations
import StorageEngines

/// The rules as a storage gets them that keeps sessions in its own way.
struct RulesForStoragesTests {
    private let session = SessionID(window: WindowID(high: 1, low: 1))
    private let tabs = zip(OrderKey.evenlySpaced(count: 3), [3, 1, 2] as [UInt64])
        .map { TabMetadata(id: TabID(high: 0, low: $1), place: $0) }

    private func code(of changes: SessionChanges, limit: Int = 100) -> StorageError.Code? {
        do throws(StorageError) {
            try changes.validate(maximumStateBytes: limit)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func partitionOfASetIsThatOfItsChanges() throws {
        var changes = SessionChanges()
        expect(try changes.validate(maximumStateBytes: 1) == nil)
        changes.put(tabs[0], in: SessionID(window: session.window, kind: .incognito))
        expect(try changes.validate(maximumStateBytes: 1) == .incognito)
        changes.put(tabs[1], in: session)
        expect(code(of: changes), is: .invalidChanges)
    }

    @Test func stateOverTheLimitIsTooLarge() {
        var changes = SessionChanges()
        changes.put(
            [1, 2, 3], for: TabStateKey(tab: tabs[0].id, name: .native, partition: .regular))
        expect(code(of: changes, limit: 3) == nil)
        expect(code(of: changes, limit: 2), is: .tooLarge)
    }

    /// A store of files refuses it as well, but only when it writes the record.
    @Test func metadataOverOneMebibyteIsTooLarge() {
        let text = String(repeating: "x", count: 1 << 20)
        var tab = tabs[0]
        tab.title = text
        var changes = SessionChanges()
        changes.put(tab, in: session)
        expect(code(of: changes), is: .tooLarge)
        changes = SessionChanges()
        changes.put(SessionAttributes(title: text), for: session)
        expect(code(of: changes), is: .tooLarge)
    }
}
