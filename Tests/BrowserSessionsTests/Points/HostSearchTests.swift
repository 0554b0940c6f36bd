import Expectations

@testable import BrowserSessions

/// Where a host is named in bytes that are not read otherwise.
struct HostSearchTests {
    private let search = HostSearch(["example.org"])

    @Test(
        "A host is found however it is written",
        arguments: [
            "example.org", "x https://EXAMPLE.Org/path", "www.example.org", "a.b.example.org:8080",
            "https_example.org_0.localstorage", "me@example.org", "at example.org.",
            "\"example.org\"",
            "https%3A%2F%2Fexample.org%2F", "https%253A%252F%252Fexample%252Eorg%2f",
            "%65xample%2eorg", #"https:\/\/example.org\/a"#,
            #"https\u003a\u002f\u002fexample\u002Eorg"#,
            #"\x65xample\x2eorg"#, #"example\u{2e}org"#, #"{\"a\":\"\\u0065xample.org\"}"#,
            #"one\nexample.org"#, "\u{FF}example.org\u{FF}", "%C3%BCexample.org%E2%82%AC",
            "100%example.org",
        ])
    func found(text: String) {
        expect(search.isNamed(in: Array(text.utf8)))
        // The same in UTF-16, in both orders and at any place.
        for units in [text.utf16.map(\.littleEndian), text.utf16.map(\.bigEndian)] {
            let bytes = units.flatMap { unit in withUnsafeBytes(of: unit, Array.init) }
            for frame in [[], [7]] as [[UInt8]] {
                expect(search.isNamed(in: frame + bytes + frame), "\(text)")
            }
        }
    }

    @Test(
        "What is a part of another host, or no name at all, is not",
        arguments: [
            "", "example", "example,org", "notexample.org", "not-example.org", "1example.org",
            "example.organic", "example.org-x", "example.org.evil.test", "example.org2",
            "example.org%2Eevil.test", #"example.org\u002eevil.test"#, "example.org.%65vil.test",
            "%6Eexample.org", #"\u006eexample.org"#, "%256Eexample.org", "example%2.org",
            "example..org",
        ])
    func notFound(text: String) {
        expect(!search.isNamed(in: Array(text.utf8)))
        for units in [text.utf16.map(\.littleEndian), text.utf16.map(\.bigEndian)] {
            let bytes = units.flatMap { unit in withUnsafeBytes(of: unit, Array.init) }
            expect(!search.isNamed(in: bytes), "\(text)")
        }
    }

    @Test("A name without a dot is that host alone, and an address in brackets is found")
    func otherHosts() {
        let search = HostSearch(["localhost", "[::1]"])
        func isNamed(_ text: String) -> Bool { search.isNamed(in: Array(text.utf8)) }
        expect(isNamed("http://localhost:3000/") && isNamed("http%3A%2F%2F[::1]:80/"))
        expect(!isNamed("http://my.localhost/") && !isNamed("localhosts") && !isNamed("[::12]"))
    }

    @Test("A mark at the end of bytes is no escape")
    func ends() {
        for end in ["%", "%2", #"\"#, #"\u"#, #"\u00"#, #"\u{"#, #"\u{2e"#, #"\x"#, #"\x2"#] {
            expect(search.isNamed(in: Array("example.org\(end)".utf8)), "\(end)")
            expect(!search.isNamed(in: Array("example\(end)".utf8)), "\(end)")
        }
    }
}
