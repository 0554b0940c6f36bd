import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

struct SessionEditTests {
    /// The plainest store there is: what the contract says, in dictionaries.
    struct Model {
        var attributes: [SessionID: SessionAttributes] = [:]
        var tabs: [TabID: (session: SessionID, tab: TabMetadata)] = [:]
        var nodes: [NodeID: (session: SessionID, node: StructureNode)] = [:]
        var states: [TabStateKey: [UInt8]] = [:]

        mutating func apply(_ changes: SessionChanges) {
            for change in changes.changes {
                guard case .remove(.session(let session), _) = change else { continue }
                attributes[session] = nil
                let kept = changes.changes.compactMap { change -> TabID? in
                    if case .put(.tab(let tab, _)) = change { tab.id } else { nil }
                }
                for (id, entry) in tabs where entry.session == session && !kept.contains(id) {
                    remove(id)
                }
                for (id, entry) in nodes where entry.session == session { nodes[id] = nil }
            }
            for change in changes.changes {
                switch change {
                case .remove(.session, _): break
                case .put(.node(let node, let session)): nodes[node.id] = (session, node)
                case .remove(.node(let id), let session):
                    if nodes[id]?.session == session { nodes[id] = nil }
                case .put(.session(let session, let value)): attributes[session] = value
                case .put(.tab(let tab, let session)): tabs[tab.id] = (session, tab)
                case .remove(.tab(let id), let session):
                    if tabs[id]?.session == session { remove(id) }
                case .putState(let bytes, let key): states[key] = bytes
                case .removeState(let key): states[key] = nil
                }
            }
        }

        private mutating func remove(_ id: TabID) {
            tabs[id] = nil
            for key in states.keys where key.tab == id { states[key] = nil }
        }

        func restored(_ id: SessionID) -> RestoredSession? {
            guard let attributes = attributes[id] else { return nil }
            let list = tabs.values.filter { $0.session == id }.map(\.tab)
            return RestoredSession(
                id: id, attributes: attributes, tabs: list.sorted { $0.place < $1.place },
                nodes: nodes.values.filter { $0.session == id }.map(\.node))
        }
    }

    func check(_ model: Model, _ expected: [SessionSnapshot]) throws {
        expect(Set(model.attributes.keys), is: Set(expected.map(\.id)))
        expect(model.tabs.count, is: expected.reduce(0) { $0 + $1.tabs.count })
        expect(
            model.states.count,
            is: expected.reduce(0) { $0 + $1.tabs.reduce(0) { $0 + $1.states.count } })
        for session in expected {
            var restored = try require(model.restored(session.id))
            restored.repair()
            expect(restored.repairs.isEmpty)
            expect(restored.attributes, is: session.attributes)
            expect(restored.tabs, is: session.tabs.map(\.metadata))
            expect(restored.nodes, is: session.nodes)
            for tab in session.tabs {
                for (name, bytes) in tab.states {
                    let key = TabStateKey(
                        tab: tab.metadata.id, name: name, in: session.id)
                    expect(model.states[key], is: bytes)
                }
            }
        }
    }

    @Test(arguments: [SessionKind.regular, .incognito], [UInt64(1), 2, 3])
    func appliedChangesGiveWhatIsExpected(kind: SessionKind, seed: UInt64) throws {
        var sampler = SessionSampler(seed: seed)
        var windows = sampler.windows(3, tabs: 12, kind: kind, state: .navigationOnly)
        var model = Model()
        for window in windows { model.apply(SessionChanges(saving: window)) }
        var seen: Set<SessionEdit.Kind> = []
        for _ in 0..<400 {
            let edit = sampler.randomEdit(of: windows)
            expect(!edit.changes.isEmpty)
            model.apply(edit.changes)
            try check(model, edit.expected)
            windows = edit.expected
            seen.insert(edit.kind)
        }
        expect(seen, is: Set(SessionEdit.Kind.allCases))
        let places = windows.flatMap { $0.tabs.map(\.metadata.place.length) }
        expect(places.allSatisfy { $0 <= OrderKey.maximumLength })
    }

    @Test func aChangeSetHasAtMostOneChangeForARecord() {
        var sampler = SessionSampler(seed: 9)
        var windows = sampler.windows(2, tabs: 30, state: .navigationOnly)
        for _ in 0..<300 {
            let edit = sampler.randomEdit(of: windows)
            let records = edit.changes.changes.map { change in
                switch change {
                case .put(.session(let id, _)), .remove(.session(let id), _): "\(id)"
                case .put(.tab(let tab, _)): "\(tab.id)"
                case .remove(.tab(let id), _): "\(id)"
                case .put(.node(let node, _)): "\(node.id)"
                case .remove(.node(let id), _): "\(id)"
                case .putState(_, let key), .removeState(let key): "\(key.tab) \(key.name)"
                }
            }
            expect(Set(records).count, is: records.count)
            windows = edit.expected
        }
    }

    @Test func oneWindowCanBeEditedByItself() throws {
        var sampler = SessionSampler(seed: 10)
        var window = sampler.window(tabs: 5)
        var model = Model()
        model.apply(SessionChanges(saving: window))
        for _ in 0..<300 {
            let (changes, expected) = sampler.randomEdit(of: window)
            model.apply(changes)
            try check(model, [expected])
            window = expected
        }
    }

    @Test func impossibleEditsAreNil() {
        var sampler = SessionSampler(seed: 12)
        let empty = sampler.window(tabs: 0)
        for kind in SessionEdit.Kind.allCases {
            let isPossible = kind == .insert || kind == .openWindow
            let edit = sampler.edit(kind, of: [empty])
            expect((edit != nil), is: isPossible)
            let ofNothing = sampler.edit(kind, of: [])
            expect(ofNothing == nil)
        }
        for kinds in [[SessionEdit.Kind.close], []] {
            let edit = sampler.randomEdit(of: [empty], kinds: kinds)
            expect(edit.kind, is: .insert)
        }
    }

    @Test func oneTabEditsAreSmall() throws {
        var sampler = SessionSampler(seed: 13)
        let windows = sampler.windows(2, tabs: 1000)
        for (kind, most) in [(SessionEdit.Kind.insert, 2), (.move, 2), (.navigate, 2)] {
            for _ in 0..<20 {
                let made = sampler.edit(kind, of: windows)
                let edit = try require(made)
                expect(edit.changes.changes.count <= most)
            }
        }
    }

    @Test func mutationsAlwaysDiffer() {
        var sampler = SessionSampler(seed: 14)
        var tab = sampler.tab(at: .between(nil, and: nil))
        for _ in 0..<1000 {
            let before = tab
            sampler.mutate(&tab)
            expect(before != tab)
            expect(before.id == tab.id && before.place == tab.place)
        }
    }
}
