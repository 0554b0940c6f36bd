import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// No error, report or note ever reveals what people look at.
struct PrivacyTests {
    static let canary = "CANARY"

    /// A window with the canary wherever content can be.
    let window: SessionSnapshot = {
        let (id, text) = (TabID(high: 1, low: 1), PrivacyTests.canary)
        let url = "https://\(text).example/"
        let tab = TabMetadata(
            id: id, place: .between(nil, and: nil), url: url, title: text, faviconURL: url,
            properties: [text: text])
        let history = NavigationHistory(url: url, title: text).encoded()
        var node = StructureNode.group(id: NodeID(high: 1, low: 2), name: text)
        (node.style, node.colorText, node.icon) = (text, text, text)
        node.properties = [text: text]
        return SessionSnapshot(
            id: SessionID(window: WindowID(high: 1, low: 1)),
            attributes: SessionAttributes(
                title: text, activeTab: id,
                properties: [text: text]),
            tabs: [TabSnapshot(metadata: tab, states: [.navigation: history])],
            nodes: [node])
    }()

    func expectSilence(_ code: StorageError.Code, _ call: () throws -> Void) {
        let error = expect(throws: StorageError.self) { try call() }
        guard let error else { return }
        expect(error.code, is: code)
        let texts = [
            "\(error)", String(reflecting: error), error.message, error.operation,
            "\(error.underlying as Any)",
        ]
        for text in texts { expect(!text.contains(Self.canary)) }
    }

    /// The other refusals are tried by ERROR-5.
    @Test func longTitle() throws {
        let fixture = try StoreFixture()
        var tab = window.tabs[0].metadata
        tab.title = String(repeating: Self.canary, count: 200_000)
        expectSilence(.tooLarge) { try fixture.save(.put(tab, in: window.id)) }
    }

    @Test func damage() throws {
        let fixture = try StoreFixture()
        try fixture.save(window)
        let id = window.tabs[0].metadata.id
        try fixture.edit { $0[.state]?[StateKey.blob(id, .navigation, set: .one).bytes]?[30] ^= 1 }
        expectSilence(.corrupted) {
            _ = try fixture.store.statesBlocking(of: [
                TabStateKey(tab: id, name: .navigation, partition: .regular)
            ])
        }
        try fixture.store.closeBlocking()
        expectSilence(.closed) { try fixture.save(window) }
        try fixture.edit { bytes in
            for key in (bytes[.metadata] ?? .init()).keys { bytes[.metadata]?[key]?[16] ^= 1 }
        }
        try fixture.open()
        expectSilence(.corrupted) { _ = try fixture.store.sessionsBlocking() }
        expectSilence(.corrupted) { _ = try fixture.store.restoreBlocking([window.id]).first }
        let report = try fixture.store.checkBlocking(.repair)
        expect(!report.losses.isEmpty)
        expect(!"\(report)".contains(Self.canary))
        for item in report.quarantined {
            let text = String(decoding: try FileSystem.read("\(item)/report.txt"), as: UTF8.self)
            expect(!text.contains(Self.canary))
        }
    }

    @Test func descriptionsHaveTheCallTheMessageAndTheCode() {
        var error = StorageError(.outOfSpace, "the disk is full", operation: "save")
        expect("\(error)", is: "save: the disk is full (outOfSpace)")
        error.operation = ""
        error.effect = .indeterminate
        expect("\(error)", is: "the disk is full (outOfSpace) [indeterminate]")
    }
}
