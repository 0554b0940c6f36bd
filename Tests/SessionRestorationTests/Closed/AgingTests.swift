import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// What is deleted for its age is not deleted by a clock that is wrong.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct AgingTests {
    private static let day = Duration.seconds(24 * 60 * 60)
    private static let closedTabs = SessionID(window: .profileWide, kind: .recentlyClosed)

    /// A host with an open window, a closed one and a closed tab.
    private func host() async throws -> Host {
        let host = try await Host.launched()
        let window = try await host.window("open", "gone")
        let closed = try await host.window("closed")
        try window.tabs.close(window.tab("gone"))
        try host.windows.close(closed)
        try await host.restorer.close()
        return host
    }

    private func kept(_ host: Host) async throws -> [String] {
        _ = try await host.restorer.savedWindows.purge()
        return host.restorer.closed.items.map(\.title)
    }

    @Test(arguments: [400, -400])
    func oneLaunchWithAWrongClockDropsNothing(days: Int) async throws {
        let before = try await host()
        let right = before.clock.timestamp
        before.clock.setTimestamp(right.advanced(by: Self.day * days))
        let wrong = try await before.relaunched()
        expect(wrong.restorer.report?.dropped.isEmpty, is: true)
        expect(try await kept(wrong) == ["closed", "gone"])
        try await wrong.restorer.close()
        wrong.clock.setTimestamp(right)
        let next = try await wrong.relaunched()
        expect(try await kept(next) == ["closed", "gone"])
    }

    @Test func manyLaunchesMakeItOldAndTheReportSaysWhatWent() async throws {
        var host = try await host()
        let limit = host.restorer.policy.closed.maximumAge
        for _ in 0..<14 {
            host.clock.advance(by: Self.day * 7)
            host = try await host.relaunched()
            expect(try await kept(host) == ["closed", "gone"])
            try await host.restorer.close()
        }
        expect(limit, is: Self.day * 30)
        host.clock.advance(by: Self.day * 7)
        let last = try await host.relaunched()
        let report = try require(last.restorer.report)
        expect(report.dropped.oldClosedTabs.count, is: 1)
        expect(report.description.contains("1 closed tab dropped for their age"))
        last.clock.advance(by: .seconds(1))
        expect(try await last.restorer.savedWindows.purge().windows.count == 1)
        expect(last.restorer.closed.items.isEmpty)
    }

    @Test func withinALaunchTheBootClockCounts() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        try window.tabs.close(window.tabs[0])
        host.clock.setTimestamp(host.clock.timestamp.advanced(by: Self.day * 400))
        try window.tabs.close(window.tabs[0])
        expect(host.restorer.closed.tabs.map(\.title), is: ["b", "a"])
        host.clock.advance(by: Self.day * 31)
        let last = try await host.window("d", "e")
        try last.tabs.close(last.tabs[0])
        expect(host.restorer.closed.tabs.map(\.title), is: ["d"])
        expect(host.seen.dropped.map(\.oldClosedTabs.count), is: [2])
    }

    /// As an import leaves them: closed long ago, more than are kept, and never seen by this store.
    @Test func whatWasImportedAgesFromTheFirstLaunch() async throws {
        let storage = FaultyStorage()
        var changes = SessionChanges()
        var place: OrderKey?
        changes.put(SessionAttributes(), for: Self.closedTabs)
        for number in 0..<127 {
            place = .between(place, and: nil)
            changes.put(
                TabMetadata(
                    id: .random(), place: try require(place), url: "https://\(number).example/",
                    title: "\(number)", lastActiveAt: Timestamp(microseconds: Int64(number + 1))),
                in: Self.closedTabs)
        }
        _ = try await storage.save(changes, durability: .memory)
        let host = try await Host.launched(storage: storage)
        expect(host.restorer.closed.tabs.count, is: 127)
        expect(host.restorer.closed.tabs.first?.title, is: "126")
        expect(host.restorer.report?.dropped.isEmpty, is: true)
        try await host.restorer.close()
        host.clock.advance(by: Self.day)
        let next = try await host.relaunched()
        expect(next.restorer.closed.tabs.map(\.closedAt).first, is: Timestamp(microseconds: 127))
        expect(next.restorer.closed.tabs.count, is: 127)
        next.clock.advance(by: Self.day * 30)
        expect(try await next.restorer.savedWindows.purge().closedTabs.count == 127)
    }

    @Test func theMenuIsInTheOrderOfClosingWhateverTheClockSaid() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b", "c")
        var windows: [Window] = []
        for title in ["w1", "w2"] { windows.append(try await host.window(title)) }
        try window.tabs.close(window.tabs[0])
        host.clock.setTimestamp(host.clock.timestamp.advanced(by: Self.day * -1))
        try host.windows.close(windows[0])
        try window.tabs.close(window.tabs[0])
        host.clock.setTimestamp(host.clock.timestamp.advanced(by: Self.day * -1))
        try host.windows.close(windows[1])
        let order = ["w2", "b", "w1", "a"]
        expect(host.restorer.closed.items.map(\.title), is: order)
        try await host.restorer.close()
        let next = try await host.relaunched()
        expect(next.restorer.closed.items.map(\.title), is: order)
        expect(next.restorer.closed.windows.map(\.title), is: ["", ""])
        expect(next.windows.ids.reopenable.map(\.id), is: [windows[1].id, windows[0].id])
    }

    /// The note of a killed process may be older than what it closed last.
    @Test func whatIsClosedLaterIsLaterAlsoAfterAKillAndAClockThatWentBack() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a", "b", "c")
        await host.waitUntilIdle()
        host.clock.advance(by: .seconds(600))
        try window.tabs.close(window.tabs[0])
        try await host.restorer.save()
        host.clock.setTimestamp(host.clock.timestamp.advanced(by: Self.day * -1))
        let next = try await host.killed(after: .zero)
        try next.windows[0].tabs.close(next.windows[0].tabs[0])
        try await next.restorer.save()
        let last = try await next.killed(boot: "later")
        expect(last.restorer.closed.items.map(\.title), is: ["b", "a"])
    }

    @Test func aNoteThatCannotBeReadBeginsACountOfItsOwn() async throws {
        let before = try await host()
        var changes = SessionChanges()
        changes.remove(LaunchMarker.session)
        _ = try await before.storage.base.save(changes, durability: .memory)
        before.clock.advance(by: Self.day * 40)
        let next = try await before.relaunched()
        next.clock.advance(by: Self.day * 29)
        expect(try await kept(next) == ["closed", "gone"])
    }

    @Test(arguments: [Int64.max, 0])
    func marksAtTheEndOfTheNumbersDoNoHarm(value: Int64) {
        let age = StoreAge(clock: ManualClock())
        age.goOn(from: StoreAge.Mark(counter: 1, value: value), after: .seconds(Int64.max))
        let (first, second) = (age.next(), age.next())
        expect(first.value <= second.value)
        expect(StoreAge.Mark(savedText: first.savedText), is: first)
        expect(age.age(of: StoreAge.Mark(counter: 2, value: 0)) == nil)
    }

    @Test(arguments: ["", "1", "x 1", "1 -1", "1 2 3", "1 9223372036854775808"])
    func otherTextsAreNoMarks(text: String) {
        expect(StoreAge.Mark(savedText: text) == nil)
    }
}
