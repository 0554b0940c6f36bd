import BrowserSessions
import Expectations
import SessionInterop
import SessionTesting
import TestSupport

@Suite("What a store notes of its imports")
struct ImportRecordTests {
    typealias Page = MergeBench.Page

    let bench = MergeBench()

    private func records() async throws -> [RestoredSession] {
        try await bench.storage.restore(bench.storage.sessions().filter { $0.kind.role == .notes })
    }

    @Test("Nothing of private tabs is in the regular partition")
    func privately() async throws {
        try bench.write([[Page("a")]], privately: [Page("p")])
        try await bench.merge()
        let regular = try await records().filter { $0.id.partition == .regular }
        try bench.write([[Page("a")]])
        let other = MergeBench()
        try other.write([[Page("a")]])
        try await other.merge()
        func counts(_ record: RestoredSession?) -> [Substring] {
            record?.attributes.properties["text"]?.split(separator: "\n").map { $0.prefix(1) } ?? []
        }
        expect(regular.count == 1 && counts(regular.first) == ["W", "T"])
        let alone = MergeBench()
        try alone.write([[Page("a")]])
        try await alone.merge(incognito: true)
        expect(try await Set(alone.storage.sessions().map(\.partition)) == [.incognito])
        expect(try await alone.merge(incognito: true).changesNothing)
    }

    @Test("Records hold no address and no title, and are of bounded size")
    func bounded() async throws {
        try bench.write([(0..<1_500).map { Page("page\($0)", title: "name\($0)") }])
        try await bench.merge()
        let records = try await records()
        expect(records.count > 1)
        for text in records.flatMap(\.attributes.properties.values) {
            expect(text.utf8.count < 200 << 10)
            expect(!text.contains("page") && !text.contains("name"))
        }
        expect(try await bench.merge().changesNothing)
        // A part that is lost is missed.
        try await bench.change { $0.remove(records[1].id) }
        await expect(throws: StorageError.self) { try await bench.merge() }
    }

    enum Damage: CaseIterable { case empty, cut, newer, unreadable }

    @Test("A record that cannot be read is not taken for none", arguments: Damage.allCases)
    func damage(_ damage: Damage) async throws {
        try bench.write([[Page("a"), Page("b")]])
        try await bench.merge()
        let record = try require(try await records().first)
        var attributes = record.attributes
        switch damage {
        case .empty: attributes = SessionAttributes()
        case .cut: attributes.properties["text"]?.removeLast(10)
        case .newer: attributes.properties["import"] = "2"
        case .unreadable:
            bench.storage.fail(
                .restore, of: record.id, with: StorageError(.corrupted, "bad block"), on: .first(2))
        }
        try await bench.change { [attributes] in $0.put(attributes, for: record.id) }
        let error = await expect(throws: StorageError.self) { try await bench.merge() }
        expect(error?.code, is: (damage == .newer ? .incompatibleFormat : .corrupted))
        guard damage != .newer else { return }
        expect(error?.message.contains("--add"), is: true)
        let result = try SessionImporter().read(path: bench.folder.file("s.json"))
        let plan = try await ImportMerge(result, mode: .addition).plan(for: bench.storage)
        expect(plan.report.recordsGivenUp == 1 && plan.report.totals.tabsAdded == 2)
        try await plan.apply(to: bench.storage)
        expect(try await bench.merge().changesNothing)
    }

    @Test("An import that ends at any save is repeated, and gives the same")
    func interrupted() async throws {
        let windows = (0..<40).map { window in (0..<200).map { Page("w\(window)t\($0)") } }
        let whole = MergeBench()
        for bench in [whole, bench] { try bench.write(windows) }
        let path = bench.folder.file("s.json")
        let result = try SessionImporter().read(path: path)
        let plan = try await ImportMerge(result).plan(for: whole.storage)
        try await plan.apply(to: whole.storage)
        for number in [1, 2] {
            bench.storage.fail(.save, with: StorageError(.failed, "killed"), on: .nth(number))
            await expect(throws: StorageError.self) { try await bench.merge() }
            bench.storage.forgetFaults()
        }
        let counts = try await bench.merge()
        expect(counts.unchanged > 0 && counts.unchanged + counts.tabsAdded == 8_000)
        expect(try await bench.contents() == whole.contents())
        expect(try await bench.merge().changesNothing)
    }

    @Test("Many windows are few saves of bounded size")
    func manyWindows() async throws {
        let sessions = (0..<6_000).map {
            SessionSnapshot(number: $0, url: "https://same.example/")
        }
        let storage = FaultyStorage()
        let plan = try await ImportMerge(SessionImport(sessions: sessions)).plan(for: storage)
        try await plan.apply(to: storage)
        let saves = storage.calls.compactMap(\.changes)
        expect(saves.count < sessions.count / 20)
        expect(saves.allSatisfy { $0.changes.count < 400 })
        let again = try await ImportMerge(SessionImport(sessions: sessions)).plan(for: storage)
        expect(again.report.totals.changesNothing)
    }

    @Test("A tab that cannot be read is not taken for closed")
    func lostTab() async throws {
        try bench.write([[Page("a"), Page("b")]])
        try await bench.merge()
        let contents = try await bench.storage.restore(bench.storage.sessions())
        let lossy = DamagedStorage(provenance: .salvaged)
        for session in contents {
            var changes = SessionChanges()
            changes.put(session.attributes, for: session.id)
            _ = try await lossy.save(changes, durability: .memory)
        }
        let result = try SessionImporter().read(path: bench.folder.file("s.json"))
        let error = await expect(throws: StorageError.self) {
            try await ImportMerge(result).plan(for: lossy)
        }
        expect(error?.code == .corrupted && error?.message.contains("Repair") == true)
        let plan = try await ImportMerge(result, mode: .replacement).plan(for: lossy)
        expect(plan.report.totals.tabsAdded, is: 2)
    }

    @Test("Tabs of other origin stay as they are")
    func otherOrigin() async throws {
        let id = SessionID(window: WindowID(high: 1, low: 1))
        let own = TabMetadata(
            id: TabID(high: 1, low: 1), place: .between(nil, and: nil), url: "https://a.example/")
        try await bench.change {
            $0.put(SessionAttributes(title: "own"), for: id)
            $0.put(own, in: id)
        }
        try bench.write([[Page("a")]])
        expect(try await bench.merge().tabsAdded == 1)
        expect(try await bench.merge("s.json", .replacement).tabsRemoved == 0)
        expect(try await bench.storage.restore(id)?.tabs == [own])
    }

    @Test("A refused session does not stop the others, and is tried again")
    func refused() async throws {
        try bench.write([[Page("a")], [Page("b")], [Page("c")]])
        let result = try SessionImporter().read(path: bench.folder.file("s.json"))
        let plan = try await ImportMerge(result).plan(for: bench.storage)
        let refused = result.sessions[1].id
        bench.storage.fail(
            .save, of: refused, with: StorageError(.tooLarge, "too large"), on: .every)
        let refusals = try await plan.apply(to: bench.storage)
        expect(refusals.map(\.session) == [refused] && refusals[0].error.code == .tooLarge)
        let totals = plan.report(without: refusals).totals
        expect(totals.tabsAdded == 2 && totals.sessionsAdded == 2)
        expect(try await bench.contents() == [["a"], ["c"]])
        bench.storage.forgetFaults()
        expect(try await bench.merge().tabsAdded == 1)
    }
}
