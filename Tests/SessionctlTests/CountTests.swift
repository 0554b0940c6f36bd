import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

/// Nouns agree with their numbers.
struct CountTests {
    func expectAgreement(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { " ,:;".contains($0) })
            for (number, noun) in zip(words, words.dropFirst()) where number == "1" {
                expect(
                    !["tabs", "sessions", "states", "windows", "bytes", "ones"].contains(noun),
                    "\(line)")
            }
        }
    }

    @Test func oneSessionWithOneTab() async throws {
        let workspace = Workspace()
        let store = workspace.store("directory")
        try await workspace.withStore(store) { store in
            for kind in [SessionKind.regular, .incognito] {
                let session = SessionID(window: WindowID(high: 1, low: 1), kind: kind)
                var changes = SessionChanges()
                changes.put(SessionAttributes(title: "one"), for: session)
                let tab = TabMetadata(
                    id: TabID(high: 1, low: 1), place: OrderKey.evenlySpaced(count: 1)[0],
                    url: "demo:welcome", title: "one")
                changes.put(tab, in: session)
                changes.put([1], for: TabStateKey(tab: tab.id, name: .native, in: session))
                _ = try await store.save(changes)
            }
        }
        let target = workspace.store("sqlite", "target")
        var texts = ""
        for arguments in [
            ["migrate", "--from", store, "--to", target, "--dry-run"],
            ["migrate", "--from", store, "--to", target],
            ["migrate", "--from", store, "--to", target],
            ["init", target], ["check", "--storage", target],
            ["delete-incognito", "--storage", store],
            ["erase-removed", "--storage", store],
        ] { texts += try Tool.run(arguments).expectSuccess() }
        expectAgreement(texts)
        for words in [
            "1 session, 1 tab, 1 state copied", "1 of these sessions was", "1 session kept",
            "1 incognito session deleted", "1 session\n",
        ] { expect(texts.contains(words), "\(words)") }
        let script = workspace.file("script")
        let lines = [
            "tabs", "windows", "open demo:page/2", "close 2", "closed", "window 7", "state 9",
        ]
        try FileSystem.replace(script, with: [UInt8](lines.joined(separator: "\n").utf8))
        let browser = try Shell.run(
            "$DEMOBROWSER --storage $STORE --script $SCRIPT --keep-going",
            ["STORE": store, "SCRIPT": script])
        expectAgreement(browser.output + browser.messages)
        expect(browser.output.contains("1 window with 1 tab came back, 1 of them unrealized."))
        expect(browser.output.contains("> window 1: 1 tab, "))
        expect(browser.messages.contains("the window has 1 tab, see 'tabs'"))
        expect(browser.messages.contains("1 is open, see 'windows'"))
    }
}
