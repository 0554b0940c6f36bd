import Expectations

@testable import BrowserSessions

/// Which addresses are on a site.
struct ForgottenSitesTests {
    @Test(
        arguments: [
            ("https://example.org/", true), ("http://EXAMPLE.org:8080/a?b#c", true),
            ("https://www.a.example.org", true), ("https://user:pass@example.org/", true),
            ("https://example.org./x", true), ("view-source:https://example.org/x", true),
            ("blob:https://example.org/0a1b", true), ("wss://example.org", true),
            ("about:reader?url=https%3A%2F%2Fexample.org%2F", true),
            ("chrome-extension://abcdef/suspended.html#uri=https://example.org/", true),
            ("https://notexample.org/", false), ("https://example.org.evil.test/", false),
            ("https://other.test/?u=https://example.org/", false), ("https://example.com/", false),
            ("https://other.test/@example.org", false), ("about:blank", false), ("", false),
            ("https://", false), ("//", false), ("https://[::1]/", false),
        ])
    func addresses(address: String, isOnSite: Bool) throws {
        expect(try ForgottenSites(["example.org"]).matches(address) == isOnSite)
        expect(try ForgottenSites(["https://www.Example.ORG:1/x"]).matches(address) == isOnSite)
    }

    @Test("A name without a dot is that host alone, and an address in brackets is one")
    func otherHosts() throws {
        let sites = try ForgottenSites(["localhost", "http://[::1]:80/"])
        expect(sites.hosts, is: ["[::1]", "localhost"])
        expect(sites.matches("http://localhost:3000/") && sites.matches("https://[::1]/x"))
        expect(!sites.matches("http://my.localhost/"))
    }

    @Test(arguments: ["", " ", "https://", "a b", "exa\u{0}mple.org", "bücher.example", "///"])
    func noSites(text: String) {
        let error = expect(throws: StorageError.self) { try ForgottenSites([text]) }
        expect(error?.code, is: .invalidConfiguration)
        expect(error?.message.contains("names no site"), is: true)
    }

    @Test("What was noted before the moment stays", arguments: [true, false])
    func since(isBefore: Bool) throws {
        let time = Timestamp(microseconds: isBefore ? 1000 : 3000)
        let sites = try ForgottenSites(["example.org"], since: Timestamp(microseconds: 2000))
        var tab = TabMetadata(id: .random(), place: .middle, url: "https://other.test/")
        tab.lastActiveAt = time
        tab.faviconURL = "https://example.org/icon"
        expect(sites.redact(&tab) != isBefore && tab.faviconURL.isEmpty != isBefore)
        var attributes = SessionAttributes(
            lastActiveAt: time, properties: ["from": "https://example.org/", "kept": "yes"])
        expect(sites.redact(&attributes) != isBefore)
        expect(attributes.properties.count, is: (isBefore ? 2 : 1))
        var history = NavigationHistory(url: "https://other.test/", title: "", time: time)
        history.entries[0].referrer = "https://example.org/"
        let (entries, isChanged) = sites.redact(&history, keepingCurrent: false)
        expect(entries == 0 && isChanged != isBefore)
        expect(history.entries[0].referrer.isEmpty != isBefore)
    }

    @Test func noSiteAtAll() {
        expect(throws: StorageError.self) { try ForgottenSites([]) }
    }
}
