import Expectations

@testable import BrowserSessions
@testable import StorageEngines

/// No error, report or note ever reveals what people look at. The rest is ERROR-5 and ERROR-6.
struct PrivacyTests {
    private static let canary = "CANARY"
    private let window = SessionID(window: WindowID(high: 1, low: 1))

    private func tab(title: String) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 1, low: 1), place: .middle, url: "https://\(Self.canary).example/",
            title: title)
    }

    @Test func longTitle() throws {
        let fixture = try StoreFixture()
        let tab = tab(title: String(repeating: Self.canary, count: 200_000))
        let error = #expect(throws: StorageError.self) {
            try fixture.save(.put(tab, in: window))
        }
        expect(error?.code, is: .tooLarge)
        for text in ["\(error as Any)", String(reflecting: error)] {
            expect(!text.contains(Self.canary))
        }
    }

    /// What a repair sets aside has a report beside it, which the suite does not read.
    @Test func reportOfARepair() throws {
        let fixture = try StoreFixture()
        try fixture.save(.put(tab(title: Self.canary), in: window))
        try fixture.store.closeBlocking()
        try fixture.edit { bytes in
            for key in (bytes[.metadata] ?? .init()).keys { bytes[.metadata]?[key]?[16] ^= 1 }
        }
        try fixture.open()
        for item in try fixture.store.checkBlocking(.repair).quarantined {
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
