import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// What the store refuses of a window's attributes costs the window nothing else, and is reported.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct WindowRefusalTests {
    private static let huge = String(repeating: "é", count: 1 << 20)

    /// What makes the attributes of a window too large.
    enum Excess: String, CaseIterable {
        case property
        case title
        case groupTitle
        case manyProperties
    }

    private func enlarge(_ window: Window, by excess: Excess) throws {
        switch excess {
        case .property: window.setProperty("huge", to: Self.huge)
        case .title: window.title = Self.huge
        case .groupTitle:
            _ = try window.tabs.create(StructureNode.group(name: Self.huge), of: [window.tabs[0]])
        case .manyProperties:
            for number in 0..<400 {
                window.setProperty("\(number)", to: String(repeating: "x", count: 8 * 1024))
            }
        }
    }

    @Test(arguments: Excess.allCases)
    func theWindowComesBackAndTheRestIsReported(excess: Excess) async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        window.setProperty("frame", to: "0,0,800,600")
        let other = try host.windows.open()
        for title in ["o", "p"] {
            try other.tabs.insert(Tab(url: "https://\(title).example/", title: title), as: .active)
        }
        try enlarge(other, by: excess)
        try enlarge(window, by: excess)
        try await host.restorer.save()
        expect(Set(host.restorer.unsavedWindows.keys), is: [window.sessionID, other.sessionID])
        expect(host.restorer.unsavedWindows[window.sessionID]?.code, is: .tooLarge)
        expect(!host.restorer.isSaved)
        let saves = host.storage.calls(of: .save).count
        try await host.restorer.save()
        expect(host.storage.calls(of: .save).count, is: saves)
        let next = try await host.relaunched()
        expect(Set(next.windows.map(\.titles)), is: [["a", "b"], ["o", "p"]])
        let again = next.windows.window(window.id)
        if excess == .property {
            let properties = again?.attributes.properties
            expect(properties?["frame"] == "0,0,800,600" && properties?["huge"] == nil)
        }
        if excess == .title { expect(again?.title.first, is: "é") }
    }

    /// A refusal says nothing about what became of the window since it was sent.
    @Test func aWindowThatChangesBeforeItsRefusalIsSavedWhole() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        window.title = Self.huge
        host.storage.hang(.save)
        let saving = Task { try? await host.restorer.save() }
        await host.storage.waitForHangingCalls()
        window.title = "short"
        // More than a first refusal leaves in.
        window.setProperty("large", to: String(repeating: "x", count: 20 * 1024))
        host.storage.release()
        await saving.value
        try await host.restorer.save()
        let stored = try await host.storage.base.restore(window.sessionID, at: .current)
        expect(stored?.attributes.title, is: "short")
        expect(stored?.attributes.properties["large"]?.count, is: 20 * 1024)
        expect(host.restorer.unsavedWindows.isEmpty && host.restorer.isSaved)
    }

    @Test func eachRefusalLeavesMoreOut() {
        let (long, own) = (String(repeating: "x", count: 20_000), OwnProperty.prefix)
        var whole = SessionContent(
            attributes: SessionAttributes(title: long), nodes: [.group(name: long)])
        whole.attributes?.properties = [
            "frame": "1", "large": long, own + "age": "1 2", own + "large": long,
        ]
        expect(whole.fitted(0).attributes, is: whole.attributes)
        let left = (1...SessionContent.lastStage).map(whole.fitted)
        expect(left.compactMap(\.attributes).map(\.title.count), is: [8192, 256, 256])
        expect(left.map { $0.nodes?.map(\.name.count) }, is: [[8192], [256], nil])
        let kept = [["frame", own + "age"], [own + "age"], [own + "age"]]
        expect(
            left.compactMap(\.attributes).map { $0.properties.keys.sorted() },
            is: kept.map { $0.sorted() })
    }

    @Test func itIsTriedAgainWhenTheWindowChangesAndReportedOnce() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        window.title = Self.huge
        try await host.restorer.save()
        window.setProperty("frame", to: "1")
        try await host.restorer.save()
        expect(host.seen.events.filter { $0.contains("windowNotSaved") }.count, is: 1)
        window.title = "short"
        try await host.restorer.save()
        expect(host.restorer.unsavedWindows.isEmpty && host.restorer.isSaved)
        let next = try await host.relaunched()
        expect(next.windows.map(\.title), is: ["short"])
    }

    @Test func aClosedWindowKeepsThatItIsClosed() async throws {
        let host = try await Host.launched()
        _ = try await host.window("w")
        let window = try await host.window("a")
        window.setProperty("huge", to: Self.huge)
        try host.windows.close(window)
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(next.windows.map(\.titles), is: [["w"]])
        expect(next.restorer.closed.windows.map(\.id), is: [window.id])
    }

    /// The facts about its closing are kept with the closed tab, as its other properties are.
    @Test func aClosedTabThatIsRefusedKeepsHowItWasClosed() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        try window.tab("b").setProperty("huge", to: Self.huge)
        try window.tabs.close(window.tab("b"))
        try await host.restorer.save()
        let next = try await host.relaunched()
        let closed = try require(next.restorer.closed.tabs.first)
        expect(closed.window == window.id && closed.index == 1)
        expect(closed.closedAt, is: host.clock.timestamp)
    }

    @Test(arguments: [("abc", 2, "ab"), ("abé", 3, "ab"), ("é", 1, ""), ("ab", 9, "ab")])
    func aCutTextEndsWithAWholeCharacter(text: String, bytes: Int, cut: String) {
        expect(text.cut(bytes), is: cut)
    }
}
