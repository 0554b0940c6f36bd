import BrowserModel
import BrowserSessions
import Expectations
import SessionSamples
import TestSupport

/// Random changes of a list and random deeds of the user in its strip.
struct MirrorPropertyTests {
    struct Case {
        var echo = FakeStrip.Reports.never
        var report = FakeStrip.Reports.atOnce
        var selectsByItself = false
        /// Whether the user is busy while the list notifies observers, too.
        var meddles = false
    }

    static let cases = [
        Case(), Case(echo: .atOnce), Case(echo: .later), Case(echo: .atOnce, report: .later),
        Case(echo: .later, report: .later), Case(echo: .later, selectsByItself: true),
        Case(echo: .atOnce, selectsByItself: true, meddles: true), Case(meddles: true),
        Case(echo: .later, report: .later, selectsByItself: true, meddles: true),
    ]

    @Test(arguments: 0..<9, TestRun.isNightly ? 1...10 : 1...1 as ClosedRange<UInt64>)
    func theStripShowsTheListAfterAnyChangesAndDeeds(number: Int, seed: UInt64) {
        let kind = Self.cases[number]
        var changer = RandomChanger(seed: seed)
        let strip = FakeStrip()
        (strip.echo, strip.report) = (kind.echo, kind.report)
        strip.selectsByItself = kind.selectsByItself
        let user = RandomUser(strip, seed: seed + 100)
        // One is notified before the mirror, the other after it.
        let early = kind.meddles ? user.meddler(with: changer.list) : nil
        let all = MirroredList(changer.list, strip)
        let late = kind.meddles ? user.meddler(with: changer.list) : nil
        for step in 1...500 {
            var what = "the user"
            if user.random.chance(1, in: 3) { user.act() } else { what = changer.change() }
            // Only what the user did and the strip has not reported yet may differ.
            var isRight = kind.meddles || kind.report == .later || all.isEqual
            if user.random.chance(1, in: 2) {
                strip.runLoop()
                isRight = isRight && all.isEqual
            }
            guard isRight, changer.faults() == [] else {
                recordIssue("\(step), \(what): \(strip.layout) for \(all.list.layout)")
                return
            }
        }
        strip.runLoop()
        expect(all.isEqual)
        withExtendedLifetime((early, late)) {}
    }

    @Test(arguments: 0..<ForestPropertyTests.rules.count, TestRun.isNightly ? 1...20 : 1...1)
    func theStripShowsAForestAfterAnyChangesAndDeeds(rule: Int, seed: Int) {
        var changer = ForestChanger(
            seed: UInt64(seed), rules: ForestPropertyTests.rules[rule].1)
        let strip = FakeStrip()
        let user = RandomUser(strip, seed: UInt64(seed) + 100)
        let all = MirroredList(changer.lists[0], strip)
        for step in 1...300 {
            var what = "the user"
            if user.random.chance(1, in: 3) { user.act() } else { what = changer.change() }
            guard all.isEqual else {
                recordIssue("\(step), \(what): \(strip.layout) for \(all.list.layout)")
                return
            }
        }
    }

    @Test(arguments: TestRun.isNightly ? 1...30 : 1...2 as ClosedRange<UInt64>)
    func aStripThatIsGoneInTheMiddleOfAnyChangeIsToldNothingMore(seed: UInt64) throws {
        var changer = RandomChanger(seed: seed)
        for _ in 0..<100 { _ = changer.change() }
        for life in 1...30 {
            var strip: FakeStrip? = FakeStrip()
            strip?.echo = .atOnce
            let mirror = strip.map { TabListMirror(changer.list, strip: $0) }
            strip?.mirror = mirror
            var calls = 0
            strip?.onCall = { _ in
                calls += 1
                if calls == life % 5 + 1 { strip = nil }
            }
            for _ in 0..<40 { _ = changer.change() }
            expect(strip != nil || calls == life % 5 + 1)
            try require(changer.faults() == [])
        }
    }
}

/// A user who clicks, drags and closes at random.
final class RandomUser {
    var random: SeededGenerator
    private let strip: FakeStrip

    init(_ strip: FakeStrip, seed: UInt64) {
        self.strip = strip
        random = SeededGenerator(seed: seed)
    }

    func act() {
        guard !strip.tabs.isEmpty else { return }
        let indexes = 0...strip.tabs.count - 1
        let (index, other) = (random.integer(in: indexes), random.integer(in: indexes))
        switch random.integer(in: 0...9) {
        case 0...3: strip.click(index)
        case 4...7: strip.drag(index, to: other)
        case 8: if strip.tabs.count > 6 { strip.pressClose(index) }
        default: if !strip.selectsByItself { strip.click(nil) }
        }
    }

    /// Has the user act while the list reports some of its changes.
    func meddler(with list: TabList) -> ListRecorder {
        let recorder = ListRecorder(list)
        recorder.onChange = { [unowned self] _, _ in if random.chance(1, in: 6) { act() } }
        return recorder
    }
}
