import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting
import TestSupport

/// All that a profile notes has its time from the clock that the host gave.
@Suite("The wall clock of a profile")
struct ProfileClockTests {
    private let clock = ManualClock()
    private let context: ApplicationContext
    private let profile: Profile

    init() throws {
        let clock = clock
        context = ApplicationContext(root: "/profiles", now: { clock.timestamp })
        profile = try context.profiles.create(named: "anna")
    }

    @Test func aProfileAndItsIncognitoPartitionTellTheTimeOfTheHost() throws {
        clock.advance(by: .seconds(5))
        expect(profile.now(), is: clock.timestamp)
        clock.setTimestamp(Timestamp(microseconds: 7))
        expect(profile.now(), is: Timestamp(microseconds: 7))
        expect(try profile.createIncognito().now() == Timestamp(microseconds: 7))
    }

    @Test(arguments: [false, true])
    func windowsAndTabsNoteItsTimes(incognito: Bool) throws {
        let partition = try incognito ? profile.createIncognito() : profile
        let start = clock.timestamp
        let window = try partition.windows.open()
        expect(window.attributes.createdAt, is: start)
        expect(window.attributes.lastActiveAt, is: start)
        clock.advance(by: .seconds(1))
        window.enterForeground()
        expect(window.attributes.lastActiveAt, is: clock.timestamp)
        let tabs = try ["a", "b"].map { title in
            let tab = Tab(
                url: "https://\(title).example/", title: title, createdAt: partition.now())
            try window.tabs.insert(tab, as: .active)
            return tab
        }
        clock.advance(by: .seconds(1))
        try window.tabs.activate(tabs[0])
        expect(tabs[0].lastActiveAt, is: clock.timestamp)
        expect(tabs[1].lastActiveAt, is: start.advanced(by: .seconds(1)))
    }

    @Test func aTimeThatIsGivenCountsMoreThanTheClock() throws {
        let window = try profile.windows.open()
        window.enterForeground(at: Timestamp(microseconds: 9))
        expect(window.attributes.lastActiveAt, is: Timestamp(microseconds: 9))
    }

    @Test func aContextThatKeepsItsNamesHasTheClockToo() throws {
        let folder = TemporaryFolder()
        let context = try ApplicationContext(keptIn: folder.path) { [clock] in clock.timestamp }
        let window = try context.profiles.create(named: "anna").windows.open()
        expect(window.attributes.createdAt, is: ManualClock.defaultTimestamp)
    }

    @Test func aManagerWithoutAContextTakesAClockToo() throws {
        let manager = ProfileManager(root: "/profiles", now: { .unknown })
        expect(try manager.create(named: "anna").windows.open().attributes.createdAt == .unknown)
    }
}
