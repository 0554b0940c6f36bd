import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting
import TestSupport

/// All that a profile notes has its time from the clock that the host gave.
@Suite("The wall clock of a profile")
struct ProfileClockTests {
    private let clock = ManualClock()
    private let folder = TemporaryFolder()

    @Test(arguments: [false, true])
    func windowsAndTabsNoteItsTimes(isKept: Bool) throws {
        let context =
            try isKept
            ? ApplicationContext(keptIn: folder.path) { [clock] in clock.timestamp }
            : ApplicationContext(root: folder.path, now: { [clock] in clock.timestamp })
        let profile = try context.profiles.create(named: "anna")
        for partition in [profile, try profile.createIncognito()] {
            let start = clock.timestamp
            expect(partition.now(), is: start)
            let window = try partition.windows.open()
            expect(window.attributes.createdAt, is: start)
            expect(window.attributes.lastActiveAt, is: start)
            clock.advance(by: .seconds(1))
            window.enterForeground()
            expect(window.attributes.lastActiveAt, is: clock.timestamp)
            let tabs = (0..<2).map { _ in Tab(url: "demo:a", createdAt: partition.now()) }
            for tab in tabs { try window.tabs.insert(tab, as: .active) }
            clock.advance(by: .seconds(1))
            try window.tabs.activate(tabs[0])
            expect(
                tabs.map(\.lastActiveAt), is: [clock.timestamp, start.advanced(by: .seconds(1))])
            // A time that is given counts more than the clock.
            let other = try partition.windows.open()
            other.enterForeground(at: Timestamp(microseconds: 9))
            expect(other.attributes.lastActiveAt, is: Timestamp(microseconds: 9))
        }
    }

    @Test func aManagerWithoutAContextTakesAClockToo() throws {
        let manager = ProfileManager(root: "/profiles", now: { .unknown })
        expect(try manager.create(named: "anna").windows.open().attributes.createdAt == .unknown)
    }
}
