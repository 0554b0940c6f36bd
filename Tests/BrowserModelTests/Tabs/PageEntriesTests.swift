import BrowserSessions
import Expectations
import SessionSamples

@testable import BrowserModel

struct PageEntriesTests {
    private func history(_ addresses: [String], at index: Int?) -> NavigationHistory {
        NavigationHistory(
            entries: addresses.map { NavigationEntry(url: $0) }, currentIndex: index)
    }

    private func entries(_ addresses: [String], at index: Int) -> PageEntries {
        PageEntries(history(addresses, at: index))
    }

    private func expectPages(
        _ entries: PageEntries, _ addresses: [String], at index: Int?,
        file: String = #fileID, line: Int = #line
    ) {
        expect(entries.whole.entries.map(\.url), is: addresses, file: file, line: line)
        expect(entries.whole.currentIndex, is: index, file: file, line: line)
    }

    @Test(arguments: [nil, 0, 2])
    func aHistoryStaysWhileTheEngineHasNothing(index: Int?) {
        var entries = PageEntries(history(["a", "b", "c"], at: index))
        entries.follow(NavigationHistory(), at: .unknown)
        expectPages(entries, ["a", "b", "c"], at: index ?? 2)
    }

    @Test(arguments: [-3, 9])
    func anIndexThatIsNotThereIsTheNearest(index: Int) {
        expectPages(entries(["a", "b"], at: index), ["a", "b"], at: index < 0 ? 0 : 1)
    }

    /// A history of pages with names of one letter, what the engine says then, and the history after that: its
    /// first page is the one that is shown, a redirect takes the place of that, a new page forgets the pages
    /// ahead, and a full list loses its first page.
    @Test(arguments: [
        ("abc", 1, [("b", 0)], "abc", 1), ("abc", 1, [("x", 0)], "axc", 1),
        ("abc", 1, [("b", 0), ("bd", 1)], "abd", 2),
        ("bz", 0, [("b", 0), ("bc", 1), ("cd", 1)], "cd", 1),
    ])
    func theEngineIsFollowed(
        pages: String, index: Int, steps: [(String, Int)], after: String, last: Int
    ) {
        var entries = entries(pages.map { String($0) }, at: index)
        for (pages, index) in steps {
            entries.follow(history(pages.map { String($0) }, at: index), at: .unknown)
        }
        expectPages(entries, after.map { String($0) }, at: last)
    }

    @Test func goingBackInTheEngineKeepsThePagesAhead() {
        var entries = entries(["a", "b", "z"], at: 1)
        entries.follow(history(["b"], at: 0), at: .unknown)
        entries.follow(history(["b", "c"], at: 1), at: .unknown)
        entries.follow(history(["b", "c"], at: 0), at: .unknown)
        expectPages(entries, ["a", "b", "c"], at: 1)
        expect(entries.target(of: 1), is: .own(1))
        expect(entries.target(of: -1), is: .adopted("a"))
        expect(entries.target(of: -2) == nil && entries.target(of: 2) == nil)
        expect(entries.target(of: 0) == nil)
    }

    @Test func crossingMovesTheBorder() {
        var entries = entries(["a", "b", "c"], at: 1)
        entries.follow(history(["b"], at: 0), at: .unknown)
        entries.beginCrossing(by: -1)
        expectPages(entries, ["a", "b", "c"], at: 1)
        entries.follow(history(["b", "a"], at: 1), at: .unknown)
        expectPages(entries, ["a", "b", "c"], at: 0)
        expect(entries.target(of: 1), is: .adopted("b"))
        entries.beginCrossing(by: 2)
        entries.follow(history(["b", "a", "c"], at: 2), at: .unknown)
        expectPages(entries, ["a", "b", "c"], at: 2)
    }

    @Test func whatWasLoadedBeforeIsNotWhereTheUserGoes() {
        var entries = entries(["a", "b"], at: 1)
        entries.beginCrossing(by: -1, insteadOf: "b")
        entries.follow(history(["b"], at: 0), at: .unknown)
        expectPages(entries, ["a", "b"], at: 1)
        entries.follow(history(["b", "a"], at: 1), at: .unknown)
        expectPages(entries, ["a", "b"], at: 0)
    }

    @Test func whileAPageIsAwaitedNothingMoves() {
        var entries = entries(["a", "b", "c"], at: 1)
        entries.follow(history(["b"], at: 0), at: .unknown)
        entries.beginCrossing(by: -1)
        entries.follow(history(["b"], at: 0), at: .unknown)
        expectPages(entries, ["a", "b", "c"], at: 1)
        entries.follow(history(["b", "redirected"], at: 1), at: .unknown)
        expectPages(entries, ["redirected", "b", "c"], at: 0)
    }

    @Test func aLinkThatIsFollowedMeanwhileIsANewPage() {
        var entries = entries(["a", "b", "c"], at: 1)
        entries.follow(history(["b"], at: 0), at: .unknown)
        entries.beginCrossing(by: -1)
        entries.started("a")
        entries.started("d")
        entries.follow(history(["b", "d"], at: 1), at: .unknown, hasCommitted: true)
        expectPages(entries, ["a", "b", "d"], at: 2)
    }

    /// Engines may take a page that is loaded at its own address for the same one.
    @Test func thePageNextDoorMayHaveTheSameAddress() {
        var entries = entries(["a", "a"], at: 1)
        entries.follow(history(["a"], at: 0), at: .unknown)
        entries.beginCrossing(by: -1)
        entries.follow(history(["a"], at: 0), at: .unknown)
        expectPages(entries, ["a", "a"], at: 1)
        entries.follow(history(["a"], at: 0), at: .unknown, hasCommitted: true)
        expectPages(entries, ["a", "a"], at: 0)
    }

    @Test func aCrossingThatFailsChangesNothing() {
        var entries = entries(["a", "b"], at: 1)
        entries.follow(history(["b"], at: 0), at: .unknown)
        entries.beginCrossing(by: -1)
        entries.endCrossing()
        entries.follow(history(["b"], at: 0), at: .unknown)
        expectPages(entries, ["a", "b"], at: 1)
    }

    @Test func aUserWhoGoesBelowTheBorderIsFollowed() {
        var entries = entries(["a", "b"], at: 1)
        entries.follow(history(["b"], at: 0), at: .unknown)
        entries.beginCrossing(by: -1)
        entries.follow(history(["b", "a"], at: 1), at: .unknown)
        // The page calls history.back().
        entries.follow(history(["b", "a"], at: 0), at: .unknown)
        expect(entries.shown?.url, is: "b")
    }

    @Test func whatWasKnownOfAPageStays() {
        var known = history(["a"], at: 0)
        known.entries[0].referrer = "https://referrer.example/"
        known.entries[0].pageState = [1, 2]
        known.entries[0].title = "A"
        known.entries[0].time = Timestamp(microseconds: 5)
        var entries = PageEntries(known)
        entries.follow(history(["a"], at: 0), at: Timestamp(microseconds: 9))
        expect(entries.whole.entries, is: known.entries)
        entries.follow(history(["a", "b"], at: 1), at: Timestamp(microseconds: 9))
        expect(entries.whole.entries[0], is: known.entries[0])
        expect(entries.whole.entries[1].time, is: Timestamp(microseconds: 9))
    }

    @Test func aTitleThatWasToldIsNewerThanTheEnginesList() {
        var entries = entries(["a"], at: 0)
        entries.setTitle("new")
        var old = history(["a"], at: 0)
        old.entries[0].title = "old"
        entries.follow(old, at: .unknown)
        expect(entries.shown?.title, is: "new")
        entries.follow(history(["a", "b"], at: 1), at: .unknown)
        entries.follow(old, at: .unknown)
        expect(entries.shown?.title, is: "old")
    }

    /// Whatever an engine says and a user does, the page that is shown is in the history.
    @Test(arguments: 0..<200)
    func randomWalksKeepTheShownPage(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let all = (0..<Int.random(in: 1...6, using: &random)).map { "s\($0)" }
        var entries = entries(all, at: Int.random(in: 0..<all.count, using: &random))
        var engine = ([entries.shown?.url ?? ""], 0)
        entries.follow(history(engine.0, at: engine.1), at: .unknown)
        for step in 0..<40 {
            let target = entries.target(of: Int.random(in: -3...3, using: &random))
            switch target {
            case .own(let steps): engine.1 += steps
            case .adopted(let address):
                let distance = entries.whole.entries.indices.first { index in
                    entries.target(of: index - (entries.whole.currentIndex ?? 0)) == target
                }
                entries.beginCrossing(by: (distance ?? 0) - (entries.whole.currentIndex ?? 0))
                engine = (Array(engine.0[...engine.1]) + [address], engine.1 + 1)
            case nil:
                engine = (Array(engine.0[...engine.1]) + ["n\(step)"], engine.1 + 1)
            }
            entries.follow(history(engine.0, at: engine.1), at: .unknown)
            expect(entries.shown?.url, is: engine.0[engine.1])
            let whole = entries.whole
            expect(whole.currentIndex.map { whole.entries[$0].url }, is: engine.0[engine.1])
            // What is saved and gone on from is the same again.
            let (before, after) = (entries.before.count, entries.after.count)
            let again = PageEntries(
                whole, before: before, after: after, engine: history(engine.0, at: engine.1))
            expect(again.whole, is: whole)
            expect(again.before == entries.before && again.after == entries.after)
        }
    }
}

struct NativeBlobTests {
    private func state(_ format: String?, _ before: Int, _ after: Int, _ bytes: [UInt8]?)
        -> TabState
    {
        var state = TabState(native: bytes)
        (state.nativeFormat, state.adoptedBefore, state.adoptedAfter) = (format, before, after)
        return state
    }

    private func read(_ blob: [UInt8]?) -> TabState {
        var state = TabState()
        state.nativeBlob = blob
        return state
    }

    @Test func bytesOfAnEngineThatNamesNoFormAreItsOwn() {
        expect(state(nil, 0, 0, [1, 2]).nativeBlob, is: [1, 2])
        expect(read([1, 2]), is: state(nil, 0, 0, [1, 2]))
        expect(TabState().nativeBlob == nil && read(nil) == TabState())
    }

    @Test(arguments: [nil, [], [7], [0xB5, 0x4E, 0x53, 0x01, 9]] as [[UInt8]?])
    func whatIsSavedIsRead(bytes: [UInt8]?) {
        for (format, before, after) in [("w", 0, 0), (nil, 0, 0), (nil, 3, 1), ("x", 70_000, 2)] {
            guard bytes != nil || before > 0 else { continue }
            let state = state(format, before, after, bytes)
            expect(read(state.nativeBlob), is: state)
        }
    }

    @Test func damageGivesTheEngineNothing() throws {
        let saved = try require(state("webkit-6", 1, 2, [1, 2, 3]).nativeBlob)
        for count in 4..<(saved.count - 3) {
            let cut = read(Array(saved.prefix(count)))
            expect(cut.native == nil || cut.native == [])
        }
        for index in 4..<saved.count {
            var bent = saved
            bent[index] ^= 0xFF
            _ = read(bent)
        }
    }
}

struct PageTextTests {
    @Test(arguments: [
        ("a", "a"), ("  a\n\tb  ", "a b"), ("\u{1B}[31mred", "[31mred"), ("\u{0}", ""), ("", ""),
        ("日本\u{2028}語", "日本 語"),
    ])
    func aTitleIsOneLineWithoutControls(title: String, shown: String) {
        expect(PageText.title(title), is: shown)
    }

    @Test func aLongTitleIsCutBetweenLetters() {
        let title = PageText.title(String(repeating: "日", count: 1_000_000))
        expect(title.utf8.count == 4095 && title.allSatisfy { $0 == "日" })
    }
}
