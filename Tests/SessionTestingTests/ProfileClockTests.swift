import BrowserModel
import BrowserSessions
import SessionTesting
import TestSupport
import Testing

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

    @Test func aProfileAndItsOffTheRecordPartitionTellTheTimeOfTheHost() throws {
        clock.advance(by: .seconds(5))
        #expect(profile.now() == clock.timestamp)
        clock.setTimestamp(Timestamp(microseconds: 7))
        #expect(profile.now() == Timestamp(microseconds: 7))
        #expect(try profile.createOffTheRecord().now() == Timestamp(microseconds: 7))
    }

    @Test(arguments: [false, true])
    func windowsAndTabsNoteItsTimes(offTheRecord: Bool) throws {
        let partition = try offTheRecord ? profile.createOffTheRecord() : profile
        let start = clock.timestamp
        let window = try partition.windows.open()
        #expect(window.attributes.createdAt == start)
        #expect(window.attributes.lastActiveAt == start)
        clock.advance(by: .seconds(1))
        window.enterForeground()
        #expect(window.attributes.lastActiveAt == clock.timestamp)
        let tabs = try ["a", "b"].map { title in
            let tab = Tab(
                url: "https://\(title).example/", title: title, createdAt: partition.now())
            try window.tabs.insert(tab, as: .active)
            return tab
        }
        clock.advance(by: .seconds(1))
        try window.tabs.activate(tabs[0])
        #expect(tabs[0].lastActiveAt == clock.timestamp)
        #expect(tabs[1].lastActiveAt == start.advanced(by: .seconds(1)))
    }

    @Test func aTimeThatIsGivenCountsMoreThanTheClock() throws {
        let window = try profile.windows.open()
        window.enterForeground(at: Timestamp(microseconds: 9))
        #expect(window.attributes.lastActiveAt == Timestamp(microseconds: 9))
    }

    @Test func aContextThatKeepsItsNamesHasTheClockToo() throws {
        let folder = TemporaryFolder()
        let context = try ApplicationContext(keptIn: folder.path) { [clock] in clock.timestamp }
        let window = try context.profiles.create(named: "anna").windows.open()
        #expect(window.attributes.createdAt == ManualClock.defaultTimestamp)
    }

    @Test func aManagerWithoutAContextTakesAClockToo() throws {
        let manager = ProfileManager(root: "/profiles", now: { .unknown })
        #expect(try manager.create(named: "anna").windows.open().attributes.createdAt == .unknown)
    }
}
