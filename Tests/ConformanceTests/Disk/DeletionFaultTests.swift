import BrowserSessions
import Expectations
import StorageConformance
import StorageEngines
import TestSupport

/// The key of deleted incognito sessions goes, whatever the disk refuses. What is left of them then is no loss.
@Suite("A deletion that the disk refuses")
struct DeletionFaultTests {
    private static let session = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    /// A store that was killed after its disk had refused a call of a deletion, and all that followed.
    private struct Refused {
        var disk: SimulatedFileSystem
        let keys = HostKeys(keyScope: "start")
        /// How many calls of the disk the deletion made.
        var calls = 0
        var error: StorageError?
    }

    private func refused(from call: Int?) throws -> Refused {
        var refused = Refused(disk: SimulatedFileSystem(.ordered))
        let disk = refused.disk
        let store = try refused.keys.open("/home/profile", on: disk)
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "secret"), for: Self.session)
        _ = try store.saveBlocking(changes, durability: .powerLoss)
        let home = try disk.directory(at: "/home")
        try home.copy("profile", to: "copy", in: home)
        let before = disk.operations
        if let call { disk.fail(call, forEver: true) }
        do {
            try store.deleteIncognitoBlocking()
        } catch { refused.error = error }
        refused.calls = disk.operations - before
        refused.disk = disk.afterKill()
        return refused
    }

    @Test("Each call of the disk fails, and all that follow")
    func original() throws {
        let calls = try refused(from: nil).calls
        var deleted = 0
        for call in 1...calls {
            let refused = try refused(from: call)
            let later = try refused.keys.open("/home/profile", on: refused.disk)
            let isThere = try !later.restoreBlocking([Self.session]).isEmpty
            deleted += isThere ? 0 : 1
            expect(!isThere || refused.error != nil, "call \(call)")
            expect(refused.keys.keys.count, is: (isThere ? 1 : 0), "call \(call)")
            let report = try later.checkBlocking()
            expect(report.isHealthy && report.discardedIncognitoPartitions == 0, "call \(call)")
            try later.closeBlocking()
            let looked = try refused.keys.open("/home/copy", on: refused.disk)
            expect(try looked.checkBlocking().isHealthy == isThere, "call \(call)")
            try looked.closeBlocking()
        }
        expect(calls > 10 && deleted > calls / 2)
    }

    @Test("A copy that is opened first reports that it cannot be read, and leaves the note")
    func copy() throws {
        let calls = try refused(from: nil).calls
        for call in 1...calls {
            let same = try refused(from: call)
            let first = try same.keys.open("/home/profile", on: same.disk)
            let isThere = try !first.restoreBlocking([Self.session]).isEmpty
            try first.closeBlocking()
            let refused = try refused(from: call)
            let copy = try refused.keys.open("/home/copy", on: refused.disk)
            expect(try copy.checkBlocking().isHealthy == isThere, "call \(call)")
            if !isThere {
                let error = expect(throws: StorageError.self) {
                    try copy.restoreBlocking([Self.session])
                }
                expect(error?.code, is: .keyUnavailable)
            }
            try copy.closeBlocking()
            let original = try refused.keys.open("/home/profile", on: refused.disk)
            let report = try original.checkBlocking()
            expect(report.isHealthy, "call \(call): \(report)")
            try original.closeBlocking()
        }
    }
}
