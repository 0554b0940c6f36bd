import BrowserSessions
import Expectations
import LocalFiles
import StorageEngines
import TestSupport

/// Records that do not match their checksums or manifest, in files that the engine finds in order.
@Suite("recovery")
struct RecoveryTests {
    /// A closed store with ten tabs that were there in an earlier run, and two that were not.
    private struct Used {
        let folder = TemporaryFolder()
        let subject: Subject
        let key = TabStateKey(tab: Sample.tab(4).id, name: .navigation, partition: .regular)
        var partition: String { folder.file("profile/regular") }

        init(_ subject: Subject) async throws {
            self.subject = subject
            var store = try await subject.open(folder)
            var changes = Sample.window(tabs: 10)
            changes.put([4, 4, 4], for: key)
            _ = try await store.save(changes)
            try await store.close()
            store = try await subject.open(folder)
            var more = SessionChanges()
            var renamed = Sample.tab(3)
            renamed.title = "Renamed"
            more.put(renamed, in: Sample.window)
            more.put(Sample.tab(10), in: Sample.window)
            more.put(Sample.tab(11), in: Sample.window)
            more.put(Sample.tab(20), in: Sample.otherWindow)
            _ = try await store.save(more)
            try await store.close()
        }

        func open() async throws -> any SessionStorage { try await subject.open(folder) }

        /// Damages the tab's current record.
        func damageTab(_ number: UInt8) throws {
            let changed = try subject.tamper(partition) { key, value in
                key.isTabKey && key.suffix(2) == [0, number] ? .replace(value.flipped) : .keep
            }
            expect(changed, is: 1)
        }
    }

    @Test("a session that cannot be read at all is not absent", arguments: Subject.all)
    func lostSession(subject: Subject) async throws {
        let used = try await Used(subject)
        try used.damageTab(20)
        for _ in 1...2 {
            let store = try await used.open()
            expect(try await store.sessions() == [Sample.window])
            expect(
                await errorCode { _ = try await store.restore(Sample.otherWindow) } == .corrupted)
            expect(try await store.check().losses.map(\.kind) == [.tab])
            try await store.close()
        }
        try await repair(used)
        let store = try await used.open()
        expect(try await store.restore(Sample.otherWindow) == nil)
        try await store.close()
    }

    @Test("damaged attributes leave the tabs", arguments: Subject.all)
    func attributes(subject: Subject) async throws {
        let used = try await Used(subject)
        let changed = try subject.tamper(used.partition) { key, value in
            key.first == UInt8(ascii: "s") ? .replace(value.flipped) : .keep
        }
        expect(changed, is: 1)
        let store = try await used.open()
        let session = try #require(try await store.restore(Sample.window))
        expect(session.tabs.count, is: 12)
        expect(session.losses.map(\.kind) == [.attributes] && session.provenance == .salvaged)
        try await store.close()
        try await repair(used)
    }

    @Test("damaged and missing state", arguments: Subject.all, [true, false])
    func state(subject: Subject, isMissing: Bool) async throws {
        let used = try await Used(subject)
        try subject.tamper(used.partition, space: .state) { _, value in
            isMissing ? .remove : .replace(value.flipped)
        }
        var store = try await used.open()
        expect(await errorCode { _ = try await store.state(of: used.key) } == .corrupted)
        let tab = Sample.tab(4)
        let history = try await store.history(of: tab, in: Sample.window)
        expect(history.entries.map(\.url), is: [tab.url])
        // The restore points have damaged records, too; the newest one came after those that are gone.
        let losses = [.state] + [Loss.Kind](repeating: .restorePoint, count: isMissing ? 1 : 2)
        expect(try await store.check().losses.map(\.kind) == losses)
        expect(try await store.restore(Sample.window)?.tabs.count == 12)
        let report = try await store.repair()
        expect(report.losses.map(\.kind), is: losses)
        expect(report.losses.first?.session, is: Sample.window)
        expect(report.quarantined.count, is: (isMissing ? 0 : 1))
        expect(try await store.state(of: used.key) == nil)
        expect(try await store.repair().losses == [])
        try await store.close()
        store = try await used.open()
        expect(try await store.state(of: used.key) == nil)
        expect(try await store.check().losses == [])
        try await store.close()
    }

    @Test("records that are gone or old are noticed by the manifest", arguments: Subject.all)
    func manifest(subject: Subject) async throws {
        let tags = ["t", "s", "x", "m"].map { UInt8(ascii: $0) }
        for tag in tags {
            let used = try await Used(subject)
            var count = 0
            try subject.tamper(used.partition) { key, _ in
                count += key.first == tag ? 1 : 0
                return key.first == tag && count == 1 ? .remove : .keep
            }
            let store = try await used.open()
            let session = try #require(try await store.restore(Sample.window))
            expect(session.provenance, is: .salvaged)
            expect(session.losses.contains { $0.kind == .unknownRecords })
            try await store.close()
            try await repair(used)
        }
    }

    @Test("a store without its files is not a new one", arguments: Subject.all, [true, false])
    func emptied(subject: Subject, isClosed: Bool) async throws {
        for partition in ["regular", "regular/"] {
            let folder = TemporaryFolder()
            let store = try await subject.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            if isClosed { try await store.close() }
            let place = TemporaryFolder()
            try FileSystem.copy(folder.file("profile"), to: place.file("profile"))
            if !isClosed { try await store.close() }
            try FileSystem.remove(place.file("profile/regular"))
            if partition.hasSuffix("/") {
                try FileSystem.makeDirectory(place.file("profile/regular"))
            }
            for _ in 1...2 {
                let store = try await subject.open(place)
                expect(await errorCode { _ = try await store.sessions() } == .corrupted)
                expect(
                    await errorCode { _ = try await store.restore(Sample.window) } == .corrupted)
                try await store.close()
            }
        }
    }

    @Test("a store into which nothing was saved is whole", arguments: Subject.all)
    func unused(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let killed = TemporaryFolder()
        let store = try await subject.open(folder)
        try FileSystem.copy(folder.file("profile"), to: killed.file("profile"))
        try await store.close()
        for place in [folder, killed] {
            for _ in 1...2 {
                let store = try await subject.open(place)
                expect(try await store.sessions() == [])
                expect(try await store.restore(Sample.window) == nil)
                expect(try await store.check().losses == [])
                try await store.close()
            }
        }
    }

    /// Repairs twice: the first accepts the losses, the second finds nothing and changes nothing.
    private func repair(_ used: Used) async throws {
        let store = try await used.open()
        expect(try await store.repair().losses != [])
        let ids = try await store.sessions()
        let first = try await store.restore(Sample.window)
        expect(first?.provenance == .intact && first?.losses == [])
        let report = try await store.repair()
        expect(report.losses == [] && report.isHealthy)
        expect(try await store.restore(Sample.window) == first)
        try await store.close()
        let again = try await used.open()
        expect(try await again.sessions() == ids)
        expect(try await again.restore(Sample.window) == first)
        expect(try await again.check().losses == [])
        try await again.close()
    }
}
