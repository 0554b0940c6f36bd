import BrowserSessions
import Expectations
import TestSupport

@Suite("restore points")
struct RestorePointTests {
    @Test("a session stays at the restore point while a window is emptied", arguments: Subject.all)
    func emptied(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        let key = TabStateKey(tab: Sample.tab(4).id, name: .navigation, partition: .regular)
        var changes = Sample.window(tabs: 10)
        changes.put([4], for: key)
        _ = try await store.save(changes)
        expect(try await store.restoreEarlier(Sample.window) == nil)
        try await store.close()
        for opening in 1...3 {
            store = try await subject.open(folder)
            var emptying = SessionChanges()
            for number in 0..<10 { emptying.remove(Sample.tab(number).id, from: Sample.window) }
            _ = try await store.save(emptying)
            expect(try await store.restore(Sample.window)?.tabs == [])
            let earlier = try await store.restoreEarlier(Sample.window)
            expect(earlier?.tabs, is: (0..<10).map { Sample.tab($0) })
            expect(earlier?.provenance, is: .restorePoint)
            let point = try #require(try await store.restorePoints().last)
            expect(try await store.state(of: key, at: .point(point.id)) == [4])
            // Nothing that is done for a point costs a later one.
            expect(try await store.restorePoints().count == opening)
            expect(try await store.state(of: key) == nil)
            expect(try await store.check().losses == [])
            try await store.close()
        }
    }
}
