import BrowserSessions
import Expectations
import Foundation
import PlatformCrypto
import TestSupport

@testable import SessionInterop

/// Nothing that a session holds becomes markup, a script or a request.
@Suite("Safety of the page of an export")
struct HTMLSafetyTests {
    private let page: String
    /// Without the style, the script and the shell, which are the same in every page.
    private let foreign: String

    init() throws {
        let losses = HostileSession.texts
        page = try HTMLSample.page(
            [HostileSession.make()], title: HostileSession.texts.joined(), losses: losses)
        foreign = [HTMLPageParts.style, HTMLPageParts.script, PackageResources.shell_html]
            .reduce(page) { $0.replacing(String(decoding: $1, as: UTF8.self), with: "") }
    }

    @Test("Every tag is one of the page's own")
    func tags() throws {
        let own = [
            "<!doctype html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<meta name=\"referrer\" content=\"no-referrer\">", "<title>", "<style>", "<body>",
            "<meta http-equiv=\"Content-Security-Policy\" content=\"\(HTMLPageParts.policy)\">",
            "<noscript>", "<header>", "<h1>", "<h2>", "<p>", "<ul>", "<ol start=\"1\">", "<li>",
            "<bdi dir=\"auto\">", "<span class=\"control\">", "<small>", "<script type=\"module\">",
        ]
        let blocks = ["page", "session", "tabs", "histories"].map {
            "<script type=\"application/json\" data-part=\"\($0)\">"
        }
        let closing = [
            "html", "head", "body", "title", "style", "script", "noscript", "header", "h1", "h2",
            "p", "ul", "ol", "li", "bdi", "span", "small", "a",
        ].map { "</\($0)>" }
        let known = Set(own + blocks + closing)
        let link = /<a rel="noreferrer noopener" href="[^"<>]*">/
        var count = 0
        for rest in foreign.components(separatedBy: "<").dropFirst() {
            let tag = "<" + (rest.components(separatedBy: ">").first ?? "") + ">"
            expect(known.contains(tag) || tag.wholeMatch(of: link) != nil, "\(tag)")
            count += 1
        }
        expect(count > 100)
    }

    @Test("Blocks hold no character that could end them, and all their texts come back")
    func blocks() throws {
        for part in ["page", "session", "tabs", "histories"] {
            let start = "<script type=\"application/json\" data-part=\"\(part)\">"
            let text = try HTMLSample.part(of: page, from: start, to: "</script>\n")
            for character in ["<", ">", "&", "\u{2028}", "\u{2029}"] {
                expect(!text.contains(character), "\(part) has \(character)")
            }
            expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
        let head = try require(try HTMLSample.blocks("page", of: page).first as? [String: Any])
        expect(head["losses"] as? [String] == HostileSession.texts)
        let tabs = try require(try HTMLSample.blocks("tabs", of: page).first as? [[String: Any]])
        let titles = tabs.compactMap { $0["title"] as? String }
        expect(titles, is: HostileSession.make().tabs.map(\.metadata.title))
    }

    @Test("The plain list links what may be linked, and only that")
    func links() throws {
        let targets = foreign.components(separatedBy: "href=\"").dropFirst().map {
            $0.components(separatedBy: "\"")[0]
        }
        let linked = HostileSession.make().tabs.map(\.metadata.url)
            .filter { HostileSession.linkedAddresses.contains($0) }
        expect(
            targets.count == linked.count && linked.count >= HostileSession.linkedAddresses.count)
        for (target, address) in zip(targets, linked) {
            expect(target.lowercased().hasPrefix("http") || target.hasPrefix("ftp://"))
            expect(Self.unescaped(target), is: address)
        }
        for address in HostileSession.unlinkedAddresses { expect(HTMLText.target(address) == nil) }
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    @Test("Characters that hide or reorder others are named in the plain list")
    func controls() throws {
        let plain = foreign.components(separatedBy: "<noscript>").dropFirst()
            .map { $0.components(separatedBy: "</noscript>")[0] }.joined()
        for scalar in "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"
            .unicodeScalars
        {
            expect(!plain.unicodeScalars.contains(scalar))
        }
        expect(!plain.unicodeScalars.contains("\0"))
        expect(plain.contains("<span class=\"control\">U+202E</span>txt.exe"))
        expect(plain.contains("a<span class=\"control\">U+0000</span>b"))
    }

    @Test("The policy lets in this style and this script, by their hashes, and nothing else")
    func policy() throws {
        let policy = try HTMLSample.part(
            of: page, from: "<meta http-equiv=\"Content-Security-Policy\" content=\"", to: "\">")
        let style = try HTMLSample.part(of: page, from: "<style>", to: "</style>")
        let script = try HTMLSample.part(
            of: page, from: "<script type=\"module\">", to: "</script>")
        expect(
            policy,
            is: "default-src 'none'; style-src 'sha256-\(Self.hash(style))'; "
                + "script-src 'sha256-\(Self.hash(script))'; base-uri 'none'; form-action 'none'; "
                + "require-trusted-types-for 'script'; trusted-types 'none'")
        // It stands before everything that it is about.
        let before = try require(page.components(separatedBy: policy).first)
        expect(!before.contains("<style") && !before.contains("<script"))
    }

    private static func hash(_ text: String) -> String {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        return Data(hash.digest()).base64EncodedString()
    }

    @Test("The page's own parts ask for nothing and build no markup of texts")
    func ownParts() throws {
        let own = try HTMLSample.page([])
        // The name of a namespace is no address.
        let text = own.replacing("\"http://www.w3.org/2000/svg\"", with: "")
        for word in [
            "http://", "https://", "//www", "@import", "url(", "src=", "<link", "<img", "<iframe",
            "fetch(", "XMLHttpRequest", "sendBeacon", "WebSocket", "import(", "eval(", "Function(",
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "srcdoc",
            "createContextualFragment", "parseFromString", "localStorage", "document.cookie",
        ] {
            expect(!text.contains(word), "\(word)")
        }
        expect(own.components(separatedBy: "</script>").count, is: 3)
        expect(own.components(separatedBy: "</style>").count, is: 2)
    }
}
