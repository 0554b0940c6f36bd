import BrowserSessions
import Expectations
import SessionInterop
import SessionTesting
import TestSupport

@Suite("Groups of a source that is imported again")
struct MergeGroupTests {
    let bench = MergeBench()

    @Test("Groups: a new name is taken, a new tab joins, a dissolved group stays dissolved")
    func groups() async throws {
        func table(_ name: String, _ count: Int) throws {
            let rows = (0..<count).map { "w\t\(name)\tt\thttps://g\($0).example/" }
            let text = (["file\tsection\ttitle\turl"] + rows).joined(separator: "\n")
            try bench.folder.write(Array(text.utf8), to: "s.tsv")
        }
        try table("One", 4)
        try await bench.merge("s.tsv")
        try table("Two", 5)
        let counts = try await bench.merge("s.tsv")
        expect(counts.sessionsUpdated == 1 && counts.tabsAdded == 1)
        var session = try require(try await bench.session(with: "g0"))
        expect(session.nodes.map(\.name), is: ["Two"])
        expect(session.tabs.allSatisfy { $0.group == session.nodes[0].id })
        try await bench.change { [session] in
            for node in session.nodes { $0.remove(node.id, from: session.id) }
            for var tab in session.tabs {
                tab.group = nil
                $0.put(tab, in: session.id)
            }
        }
        try table("Two", 6)
        expect(try await bench.merge("s.tsv").tabsAdded == 1)
        session = try require(try await bench.session(with: "g0"))
        expect(session.nodes.isEmpty && session.tabs.allSatisfy { $0.group == nil })
    }

    @Test("A group that is in another window of the store gets another identifier, once")
    func groupElsewhere() async throws {
        let group = StructureNode.group(name: "group")
        let copies: [SessionSnapshot] = (1...2).map { (number: UInt64) in
            var copy = SessionSnapshot(number: number, url: "https://copy\(number).example/")
            copy.nodes = [group]
            copy.tabs[0].metadata.group = group.id
            return copy
        }
        _ = try await bench.storage.save(SessionChanges(saving: copies[0]))
        for round in 1...2 {
            let plan = try await ImportMerge(SessionImport(sessions: [copies[1]]))
                .plan(for: bench.storage)
            expect(try await plan.apply(to: bench.storage).isEmpty)
            expect(plan.report.totals.changesNothing, is: (round == 2))
        }
        let sessions = try await bench.storage.restore(copies.map(\.id))
        expect(sessions.map { $0.nodes.map(\.name) }, is: [["group"], ["group"]])
        expect(sessions.allSatisfy { $0.tabs[0].group == $0.nodes[0].id && $0.repairs == [] })
        expect(sessions[0].nodes[0].id == group.id && sessions[1].nodes[0].id != group.id)
    }
}
