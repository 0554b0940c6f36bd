import LocalFiles
import SessionSamples
import Testing

@testable import BrowserSessions
@testable import StorageEngines

/// No error, report or note ever tells what people look at.
@Suite struct PrivacyTests {
    static let canary = "CANARY"

    /// A window with the canary wherever content can be.
    let window: SessionSnapshot = {
        let (id, text) = (TabID(high: 1, low: 1), PrivacyTests.canary)
        let url = "https://\(text).example/"
        let tab = TabMetadata(
            id: id, place: .between(nil, nil), url: url, title: text, faviconURL: url,
            properties: [text: text])
        let history = NavigationHistory(url: url, title: text).encoded()
        return SessionSnapshot(
            id: SessionID(window: WindowID(high: 1, low: 1)),
            attributes: SessionAttributes(
                title: text, activeTab: id,
                groups: [TabGroup(id: TabGroupID(high: 1, low: 1), title: text)],
                properties: [text: text]),
            tabs: [TabSnapshot(metadata: tab, states: [.navigation: history])])
    }()

    func expectSilence(_ code: StorageError.Code, _ call: () throws -> Void) {
        let error = #expect(throws: StorageError.self, performing: call)
        guard let error else { return }
        #expect(error.code == code)
        let texts = [
            "\(error)", String(reflecting: error), error.message, error.operation,
            "\(error.underlying as Any)",
        ]
        for text in texts { #expect(!text.contains(Self.canary)) }
    }

    @Test func refusedChanges() throws {
        let fixture = try StoreFixture(options: ["maximumStateBytes": .integer(10)])
        let tab = window.tabs[0]
        func save(_ build: (inout SessionChanges) -> Void) throws {
            var changes = SessionChanges()
            build(&changes)
            _ = try fixture.store.saveBlocking(changes, durability: .powerLoss)
        }
        expectSilence(.tooLarge) { try fixture.save(window) }
        expectSilence(.tooLarge) {
            try save {
                var tab = tab.metadata
                tab.title = String(repeating: Self.canary, count: 200_000)
                $0.put(tab, in: window.id)
            }
        }
        expectSilence(.tooLarge) {
            try save {
                var tab = tab.metadata
                tab.place = OrderKey(bytes: Array(repeating: 9, count: 200)) ?? tab.place
                $0.put(tab, in: window.id)
            }
        }
        expectSilence(.invalidChanges) {
            try save { changes in
                for _ in 1...2 { changes.put(window.attributes, for: window.id) }
            }
        }
        expectSilence(.invalidChanges) {
            try save {
                $0.put(tab.metadata, in: window.id)
                $0.remove(tab.metadata.id, from: window.id)
            }
        }
        expectSilence(.conflict) {
            try save {
                $0.expectedSequence = 99
                $0.put(tab.metadata, in: window.id)
            }
        }
    }

    @Test func damage() throws {
        let fixture = try StoreFixture()
        try fixture.save(window)
        let id = window.tabs[0].metadata.id
        try fixture.edit { $0[.state]?[RecordKey.state(id, .navigation)]?[30] ^= 1 }
        expectSilence(.corrupted) {
            _ = try fixture.store.stateBlocking(of: [
                TabStateKey(tab: id, name: .navigation, partition: .regular)
            ])
        }
        try fixture.store.closeBlocking()
        expectSilence(.closed) { try fixture.save(window) }
        try fixture.edit { bytes in
            for key in (bytes[.metadata] ?? [:]).keys { bytes[.metadata]?[key]?[16] ^= 1 }
        }
        try fixture.open()
        expectSilence(.corrupted) { _ = try fixture.store.sessionsBlocking() }
        expectSilence(.corrupted) { _ = try fixture.store.restoreBlocking([window.id]).first }
        let report = try fixture.store.repairBlocking()
        #expect(!report.losses.isEmpty)
        #expect(!"\(report)".contains(Self.canary))
        for item in report.quarantined {
            let text = String(decoding: try FileSystem.read("\(item)/report.txt"), as: UTF8.self)
            #expect(!text.contains(Self.canary))
        }
    }

    @Test func descriptionsHaveTheCallTheMessageAndTheCode() {
        var error = StorageError(.outOfSpace, "there is no room", operation: "save")
        #expect("\(error)" == "save: there is no room (outOfSpace)")
        error.operation = ""
        error.effect = .indeterminate
        #expect("\(error)" == "there is no room (outOfSpace) [indeterminate]")
    }
}
