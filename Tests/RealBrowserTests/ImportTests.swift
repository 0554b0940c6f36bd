import BrowserDriving
import BrowserSessions
import SessionInterop
import TestSupport
import Testing

extension RealBrowsers {
    private var profile: String { folder.file("profile") }

    /// Opens the windows of the plan in a browser that makes its profile.
    private func opened(_ judge: Judge) throws -> (any DrivenBrowser, Verdict) {
        let browser = try judge.start(profile)
        let verdict = Verdict(judge: try browser.version)
        try browser.open(plan.twoWindows)
        return (browser, verdict)
    }

    /// Waits until the files of the browser say what it has: it writes them after a while, and what
    /// it had not written yet is lost when it is killed.
    ///
    /// - Parameter again: whether they are to be others than those of its run before.
    private func waitUntilSaved(again: Bool = false) {
        let folders = ["", "/Default", "/Default/Sessions", "/sessionstore-backups"]
        let changes = FolderChanges(of: folders.map { profile + $0 })
        _ = changes.wait {
            guard let found = try? SessionImporter().read(path: profile),
                (try? LiveBrowser(found.sessions)) == plan.twoWindows
            else { return false }
            return !again || found.report.untaken.contains { $0.reason == .older }
        }
    }

    /// Compares the whole profile, as it lies, with the plan.
    private func expectImport(_ question: String, _ verdict: Verdict) throws {
        let found = try SessionImporter().read(path: profile)
        try verdict.compare(LiveBrowser(found.sessions), with: plan.twoWindows, question)
        let problems = found.report.sources.flatMap(\.problems).filter { $0.severity != .note }
        try verdict.check(
            problems == [] && !found.report.isDamaged, question, "nothing damaged",
            "\(problems), \(found.report.untaken)")
    }

    @Test("What a browser had open when it was closed is imported", arguments: Judge.allCases)
    func closed(_ judge: Judge) throws {
        let (browser, verdict) = try opened(judge)
        // What is compared below is what the browser itself says.
        let said = try browser.state(tabs: plan.twoWindows.tabs.count)
        try verdict.compare(said, with: plan.twoWindows, "opens what it was asked to")
        try browser.close()
        try expectImport("import, closed in order", verdict)
    }

    @Test("What a browser had open when it was killed is imported", arguments: Judge.allCases)
    func killed(_ judge: Judge) throws {
        let (browser, verdict) = try opened(judge)
        waitUntilSaved()
        browser.kill()
        try expectImport("import, killed", verdict)
    }

    @Test(
        "Of a profile that has older states beside the newest each tab is imported once",
        arguments: Judge.allCases)
    func older(_ judge: Judge) throws {
        let (browser, verdict) = try opened(judge)
        try browser.close()
        let count = plan.twoWindows.tabs.count
        let again = "opens its own profile again"
        for _ in 1...2 {
            let next = try judge.start(profile, restoring: true)
            try verdict.compare(next.state(tabs: count), with: plan.twoWindows, again)
            try next.close()
        }
        let last = try judge.start(profile, restoring: true)
        try verdict.compare(last.state(tabs: count), with: plan.twoWindows, again)
        waitUntilSaved(again: true)
        last.kill()
        let question = "import, of several runs"
        try expectImport(question, verdict)
        let untaken = try SessionImporter().read(path: profile).report.untaken
        try verdict.check(
            untaken.contains { $0.reason == .older }, question, "older states are there",
            "\(untaken)")
    }
}
