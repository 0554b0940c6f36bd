import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import SessionTesting
import TestSupport

@testable import SessionInterop
@testable import StorageConformance

/// No property of a tab, a window or a history is lost on its way, or by what compares them.
///
/// A property that is added and that its record does not visit is missing in ``FieldTables``.
@Suite("Each field")
struct FieldTests {
    /// Order keys say how tabs came to their places; what counts is the order.
    static let notInContent = ["TabMetadata.place", "StructureNode.place"]

    @Test("Each stored property is changed by its table, alone")
    func tables() {
        let ofSessions = FieldTables.attributes.mistakes + FieldTables.node.mistakes
        let ofTabs = FieldTables.tab.mistakes + FieldTables.opener.mistakes
        let ofHistories = FieldTables.history.mistakes + FieldTables.entry.mistakes
        expect(ofSessions + ofTabs + ofHistories + FieldTables.header.mistakes, is: [])
    }

    @Test("The digest and the canonical JSON have it", arguments: ChangedSession.all)
    func content(session: ChangedSession) throws {
        func contents(_ session: ChangedSession) throws -> [[UInt8]] {
            try [
                canonicalJSON([session.snapshot]),
                [UInt8](ContentDigest.compute(of: [session.snapshot]).utf8),
            ]
        }
        let isContent = !Self.notInContent.contains(session.field)
        for (one, other) in zip(try contents(.base), try contents(session)) {
            expect((one != other), is: isContent)
        }
        // For people, beside the bytes of the state.
        if session.outer == nil, !session.field.hasSuffix(".unknownFields") {
            let base = ChangedSession.base.history
            expect(JSONValue(session.history) != JSONValue(base))
        }
    }

    @Test("A comparison names it", arguments: ChangedSession.all)
    func comparison(session: ChangedSession) throws {
        let base = ChangedSession.base
        let differences =
            session.tab.differences(from: base.tab)
            + session.attributes.fieldsThatDiffer(from: base.attributes)
            + session.nodes[0].differences(from: base.nodes[0])
        expect(differences, is: [session.outer].compactMap(\.self))
        expect((session.history == base.history), is: (session.outer != nil))
    }

    /// That backends keep each field, RESTORE-1 and STRUCTURE-1 prove.
    @Test("A difference has it, and a copy of a store keeps it", arguments: ChangedSession.all)
    func difference(session: ChangedSession) async throws {
        let (base, legal) = (ChangedSession.base.legal, session.legal)
        expect(legal != base)
        let (store, copy) = (MemoryStorage(), MemoryStorage())
        _ = try await store.save(SessionChanges(saving: base), durability: .memory)
        let before = try await store.restore(legal.id)
        // Only what differs is saved.
        let changes = SessionChanges(saving: legal, replacing: before)
        _ = try await store.save(changes, durability: .memory)
        _ = try await SessionCopy(from: store, to: copy).run()
        for store in [store, copy] {
            let restored = try require(try await store.restore(legal.id))
            expect(restored.repairs, is: [])
            expect(restored.tabs, is: legal.tabs.map(\.metadata))
            expect(restored.nodes, is: legal.nodes)
            let digest = try await ContentDigest.compute(of: store)
            expect(digest, is: ContentDigest.compute(of: [legal]))
        }
    }

    @Test("What is exported as canonical JSON is imported with it", arguments: ChangedSession.all)
    func wayBack(session: ChangedSession) async throws {
        let text = try canonicalJSON([session.legal])
        let folder = TemporaryFolder(inMemory: true)
        let path = try folder.write(text, to: "copy.json")
        let result = try SessionImporter().read(path: path, as: .canonical)
        expect(result.report.sources.flatMap(\.problems), is: [])
        let store = MemoryStorage()
        expect(try await ImportMerge(result).plan(for: store).apply(to: store).isEmpty)
        var again: [UInt8] = []
        try await CanonicalJSON.write(store) { again += $0 }
        let same = zip(text, again).prefix { $0 == $1 }.count
        let rest = String(decoding: again.dropFirst(max(0, same - 60)).prefix(120), as: UTF8.self)
        expect(same == text.count && same == again.count, "…\(rest)…")
        // What is there already is merged, so that nothing changes.
        let second = try await ImportMerge(result).plan(for: store)
        expect(second.changedSessions, is: [])
    }

    @Test("Bytes that are no fields of a newer version are left out and counted")
    func wrongUnknownFields() throws {
        let base = ChangedSession.base.legal
        let text = try canonicalJSON([base])
        let known = Data(FieldTables.unknown).base64EncodedString()
        let whole = String(decoding: text, as: UTF8.self)
        expect(whole.contains("\"unknownFields\":\"\(known)\""))
        // A field that breaks off, one with an illegal tag, the address of a tab, and no base64.
        for wrong in [[0xC2, 0x3E, 9], [0x07], [0x12, 1, 0x41], []] as [[UInt8]] {
            let bytes = wrong.isEmpty ? "?" : Data(wrong).base64EncodedString()
            let changed = whole.replacing("\"\(known)\"", with: "\"\(bytes)\"")
            let reading = try CanonicalReader.read(
                [UInt8](changed.utf8), name: "", limits: ImportLimits())
            expect(reading.log.problems.count, is: 1, "\(wrong)")
            let tab = try require(reading.drafts.first?.tabs.first { !$0.states.isEmpty })
            expect(
                tab.metadata.unknownFields == [] && tab.metadata.url == base.tabs[2].metadata.url)
        }
    }

    @Test("A copy finds it changed in its target", arguments: ChangedSession.all)
    func conflicts(session: ChangedSession) async throws {
        let source = MemoryStorage()
        let target = MemoryStorage()
        _ = try await source.save(SessionChanges(saving: session.legal), durability: .memory)
        _ = try await target.save(
            SessionChanges(saving: ChangedSession.base.legal), durability: .memory)
        let error = await expect(throws: StorageError.self) {
            try await SessionCopy(from: source, to: target).run()
        }
        expect(error?.code, is: .conflict, "\(String(describing: error))")
    }

    @Test("Some sample has it")
    func samples() {
        var sampler = SessionSampler(seed: 7)
        let windows = sampler.windows(40, tabs: 60, state: .navigationOnly)
        let tabs = windows.flatMap(\.tabs)
        var left = Set<String>()
        left.formUnion(unset(tabs.map(\.metadata), like: FieldTables.tab))
        left.formUnion(unset(tabs.compactMap(\.metadata.opener), like: FieldTables.opener))
        left.formUnion(unset(windows.map(\.attributes), like: FieldTables.attributes))
        left.formUnion(unset(windows.flatMap(\.nodes), like: FieldTables.node))
        let histories = tabs.compactMap { tab in
            tab.states[.navigation].flatMap { try? NavigationHistory(encoded: $0) }
        }
        let entries = histories.flatMap(\.entries)
        left.formUnion(unset(histories, like: FieldTables.history))
        left.formUnion(unset(entries, like: FieldTables.entry))
        left.formUnion(unset(entries.flatMap(\.requestHeaders), like: FieldTables.header))
        // They are set, each to one value.
        left.subtract(["HTTPHeader.name", "HTTPHeader.value", "SessionAttributes.lastActiveAt"])
        // Samples are lists of tabs in groups.
        let structure = [
            "edge", "name", "container", "weight", "isFolded", "isHidden", "pinnedPage",
            "closedFrom",
        ]
        left.subtract(structure.map { "TabMetadata.\($0)" })
        let ofNodes =
            structure + [
                "kind", "parent", "zone", "style", "colorText", "icon", "axis", "link", "active",
                "properties",
            ]
        left.subtract(ofNodes.map { "StructureNode.\($0)" })
        // Only a newer version writes fields that this one does not know.
        expect(left.filter { !$0.hasSuffix(".unknownFields") }, is: [])
    }

    /// The properties that are the same in all of these records, or nothing in each.
    private func unset<Record>(_ records: [Record], like table: FieldTable<Record>) -> [String] {
        var texts: [String: Set<String>] = [:]
        for record in records {
            for child in Mirror(reflecting: record).children {
                texts[child.label ?? "", default: []].insert(String(reflecting: child.value))
            }
        }
        return table.changes.map(\.field).filter { field in
            guard let found = texts[field], found.count > 1 else { return true }
            return found.subtracting(["\"\"", "[]", "[:]", "nil"]).isEmpty
        }.map { "\(Record.self).\($0)" }
    }
}
