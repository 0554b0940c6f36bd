import BrowserModel
import BrowserSessions
import Expectations
import Foundation
import RestorePlans
import SessionRestoration
import SessionTesting
import StorageEngines
import TestSupport

@testable import demobrowser

/// Restore points as the user sees them, and how the browser goes back to one.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct EarlierTests {
    private let storage = MemoryStorage()

    /// A browser with the welcome page, pages 2 to 4, and a restore point of them.
    private func launchWithPoint() async throws -> Browser {
        let browser = try await launch(storage)
        try await perform(
            "open demo:page/2", "open demo:page/3", "open demo:page/4", "keep work", in: browser)
        return browser
    }

    private func titles(_ browser: Browser) -> [[String]] {
        browser.windows.map { $0.tabs.map(\.title) }
    }

    private func point(named name: String) async throws -> RestorePoint? {
        try await storage.restorePoints().first { $0.name == name }
    }

    @Test func aPointIsKeptListedAndReleased() async throws {
        let browser = try await launch(storage)
        expect(try await perform("points", in: browser) == ["  (no restore points)"])
        let kept = try await perform("open demo:page/2", "keep work", in: browser)
        let id = try require(try await point(named: "work")).id
        let words = try require(kept.first).components(separatedBy: " · ")
        expect(words.count == 4 && words[1].contains(":"))
        expect(words.first == "kept: \(id)" && words.suffix(2) == ["2 tabs", "'work'"])
        let line = words.joined(separator: " · ").dropFirst("kept: ".count)
        expect(try await perform("points", in: browser) == ["  " + line])
        expect(try await perform("release \(id)", in: browser) == ["released: " + line])
        expect(try await perform("points", in: browser) == ["  (no restore points)"])
        for command in ["release work", "goback \(id)", "goback", "undo-goback"] {
            await expect(throws: CommandMistake.self) { try await perform(command, in: browser) }
        }
        try await browser.close()
    }

    @Test func goingBackBringsBackWhatIsGoneAndIsUndoneByOneCommand() async throws {
        let browser = try await launchWithPoint()
        try await perform("close 2 3", "open demo:page/5", in: browser)
        let now = [["Welcome", "Page 4", "Page 5"]]
        let back = [["Welcome", "Page 2", "Page 3", "Page 4", "Page 5"]]
        let answer = try await perform("goback", in: browser)
        expect(answer.first?.hasSuffix(" · 4 tabs · 'work'"), is: true)
        expect(
            answer.dropFirst(),
            is: [
                "  > Page 2 <demo:page/2>", "  > Page 3 <demo:page/3>",
                "done: 'undo-goback' undoes it",
            ])
        expect(titles(browser), is: back)
        // Once more, which is again to the point that the user took.
        for command in ["goback", "goback work"] {
            let again = try await perform(command, in: browser)
            expect(again, is: [answer[0], "nothing was changed"])
        }
        try await perform("undo-goback", in: browser)
        expect(titles(browser), is: now)
        expect(Set(browser.restorer.closed.tabs.map(\.title)), is: ["Page 2", "Page 3"])
        try await perform("undo-goback", in: browser)
        expect(titles(browser), is: back)
        try await browser.close()
        let next = try await launch(storage.reopened())
        expect(titles(next), is: back)
        try await perform("undo-goback", in: next)
        expect(titles(next), is: now)
        try await next.close()
    }

    @Test func aWindowThatGoesIsNotShownAnyMore() async throws {
        let browser = try await launch(storage)
        try await perform("window", "go demo:page/2", "keep two", "close window", in: browser)
        let back = try await perform("goback", in: browser)
        expect(back.dropFirst(), is: ["  ~ a window", "done: 'undo-goback' undoes it"])
        try await perform("window 2", in: browser)
        expect(titles(browser), is: [["Welcome"], ["Page 2"]])
        expect(browser.window === browser.windows[1])
        let gone = try await perform("undo-goback", in: browser)
        expect(gone.dropFirst(), is: ["  ~ a window", "done: 'undo-goback' undoes it"])
        expect(titles(browser), is: [["Welcome"]])
        expect(browser.window === browser.windows[0])
        try await browser.close()
    }

    @Test func aPlanThatClosesTheLastWindowLeavesANewOne() async throws {
        let browser = try await launch(storage)
        try await perform(
            "open demo:page/2", "keep one", "window", "go demo:page/3", "save", in: browser)
        let id = try require(try await point(named: "one")).id
        let folder = TemporaryFolder()
        let plan = try await storage.restorePlan(at: id, mode: .replace)
        try FileSystem.replace(folder.file("plan"), with: plan.encoded())
        // The window that stays by the plan goes before it is applied.
        try await perform("window 1", "close window", in: browser)
        let answer = try await perform("apply \(folder.file("plan"))", in: browser)
        expect(
            answer,
            is: ["  - a window", "  - Page 3 <demo:page/3>", "done: 'undo-goback' undoes it"])
        expect(titles(browser), is: [["Welcome"]])
        expect(browser.window === browser.windows[0])
        try await browser.close()
    }

    @Test func aPlanInAFileIsApplied() async throws {
        let browser = try await launchWithPoint()
        let folder = TemporaryFolder()
        try await perform("close 2", "save", in: browser)
        let id = try require(try await point(named: "work")).id
        let plan = try await storage.restorePlan(at: id)
        try FileSystem.replace(folder.file("plan"), with: plan.encoded())
        let apply = "apply \(folder.file("plan"))"
        let done = ["  > Page 2 <demo:page/2>", "done: 'undo-goback' undoes it"]
        expect(try await perform(apply, in: browser) == done)
        expect(titles(browser), is: [["Welcome", "Page 2", "Page 3", "Page 4"]])
        expect(
            try await perform(apply, in: browser) == [
                "  > Page 2 <demo:page/2>", "not done: Page 2 <demo:page/2> (it is so already)",
                "nothing was changed",
            ])
        try FileSystem.replace(folder.file("plan"), with: [1, 2])
        await expect(throws: StorageError.self) { try await perform(apply, in: browser) }
        let none = "apply \(folder.file("none"))"
        let error = await expect(throws: (any Error).self) { try await perform(none, in: browser) }
        expect(error.map { "\($0)".hasPrefix("cannot read '\(folder.file("none"))': ") }, is: true)
        try await browser.close()
    }

    @Test func whatWentAtOnceIsOfferedUntilItIsAnswered() async throws {
        let browser = try await launch(storage)
        for number in 2...21 { try await perform("open demo:page/\(number)", in: browser) }
        try await perform("keep all", "pin 1", "save", in: browser)
        try browser.window.tabs.close(browser.window.tabs[1...20], reason: .program)
        try await browser.close()

        var storage = storage.reopened()
        let next = try await launch(storage)
        let id = try require(next.restorer.report?.pointsBeforeLoss.first).id
        let offer =
            "20 tabs went at once: 'goback \(id)' brings back what is gone, 'release \(id)' lets it go"
        expect(next.greeting().last, is: offer)
        expect(
            try await perform("points", in: next).contains {
                $0.hasPrefix("  \(id) · ") && $0.hasSuffix("before 20 tabs went at once")
            })
        try await next.close()

        storage = storage.reopened()
        let third = try await launch(storage)
        expect(third.greeting().last, is: offer)
        try await perform("goback \(id)", in: third)
        expect(third.window.tabs.count, is: 21)
        try await third.close()
        let last = try await launch(storage.reopened())
        expect(last.window.tabs.count, is: 21)
        expect(!last.greeting().contains { $0.contains("at once") })
        try await last.close()
    }

    @Test func sitesAreForgottenButNotWhatIsOpen() async throws {
        let browser = try await launchWithPoint()
        try await perform("close 2 3", in: browser)
        // What is before the page number counts as the site.
        let answer = try await perform("forget page", in: browser)
        expect(answer.count == 2 && answer.last == "still open: 1 tab, until you close it")
        expect(answer.first?.hasPrefix("2 closed tabs, "), is: true)
        let end = " and 3 tabs of restore points are gone, also from the store's files"
        expect(answer.first?.hasSuffix(end), is: true)
        expect(browser.restorer.closed.tabs.isEmpty)
        expect(try await perform("visited", in: browser) == ["  Welcome <demo:welcome>"])
        expect(try await perform("find page", in: browser).count == 1)
        expect(titles(browser), is: [["Welcome", "Page 4"]])
        expect(try await perform("goback", in: browser).last == "nothing was changed")
        await expect(throws: (any Error).self) { try await perform("forget /", in: browser) }
        try await browser.close()
    }

    @Test func tabsAreFoundWhereTheyAreOrWereSeenLast() async throws {
        let browser = try await launchWithPoint()
        func find(_ words: String) async throws -> [String] {
            try await perform("find \(words)", in: browser)
        }
        expect(try await find("3 PAGE") == ["  Page 3 <demo:page/3>: open in window 1"])
        expect(try await find("nowhere at all") == ["  (no tab has 'nowhere at all')"])
        try await perform("space home", "share 2", in: browser)
        expect(try await find("page/2") == ["  Page 2 <demo:page/2>: open in a space"])
        try await perform("close 2", in: browser)
        expect(try await find("page/3") == ["  Page 3 <demo:page/3>: closed, see 'closed'"])
        let id = try require(try await point(named: "work")).id
        try browser.restorer.closed.forgetAll()
        let seen = try require(try await find("page/3").first)
        expect(seen.hasPrefix("  Page 3 <demo:page/3>: seen last "))
        expect(seen.hasSuffix(", see 'goback \(id)'"))
        try await browser.close()
    }
}
