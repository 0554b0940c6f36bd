import BrowserDriving
import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

@testable import SessionInterop

extension PageTests {
    @Test("Texts and addresses that try to run run nothing, in every view")
    func hostile() throws {
        let session = HostileSession.make()
        let page = try OpenPage([session], title: "Sessions", losses: HostileSession.texts)
        for order in ["window", "use", "title", "site"] {
            try page.sort(by: order)
            try page.run("document.querySelectorAll('.unfold').forEach(each => each.click())")
            try page.waitUntilStable()
            expect(try Self.strange(on: page) == [])
        }
        for query in ["script", "<img", "onerror", "'run'", "\"", "&amp;"] {
            try page.search(query)
            expect(try Self.strange(on: page) == [])
        }
        try page.search("")
        try page.print(true)
        expect(try Self.strange(on: page) == [])
        let losses = try page.texts("#losses li")
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        expect(losses, is: HostileSession.texts.map(Self.shown))
        expect(try page.noted() == [])
    }

    /// Elements that no part of the page makes, links to where none may lead, and another title.
    private static func strange(on page: OpenPage) throws -> [String] {
        try page.value(
            """
            (() => {
                const strange = document.querySelectorAll(
                    "body :is(img, iframe, object, embed, base, form, link, meta, style, b, textarea)");
                const scripts = [...document.scripts].filter(
                    each => each.type !== "application/json" && each.type !== "module");
                const links = [...document.querySelectorAll("a, [href]")].filter(each =>
                    each.localName !== "use" && !/^(https?|ftp):/.test(each.href));
                const handlers = [...document.querySelectorAll("*")].filter(each =>
                    each.getAttributeNames().some(name => name.startsWith("on")));
                return [...strange, ...scripts, ...links, ...handlers].map(each => each.outerHTML)
                    .concat(document.title === "Sessions" ? [] : [document.title]);
            })()
            """)
    }

    @Test("Titles are shown as they are, with what would hide or reorder something named")
    func titles() throws {
        let session = HostileSession.make()
        let page = try OpenPage([session])
        try page.run(
            "document.querySelectorAll('.fold[aria-expanded=false]').forEach(each => each.click())")
        let wanted = session.tabs.map(\.metadata.title).filter {
            !$0.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty
        }
        let shown = try page.texts(".name:not(.untitled) > bdi")
        expect(shown.count > 5)
        expect(shown, is: wanted.prefix(shown.count).map(Self.shown))
        let isolated = ".tab .name > bdi[dir=auto], .tab .address > bdi[dir=ltr]"
        expect(try page.count(isolated) == page.count(".tab .name > bdi, .tab .address > bdi"))
    }

    /// A text as the page shows it.
    private static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0...8, 0xE...0x1F, 0x7F...0x9F, 0x200B, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
                0xFFF9...0xFFFB:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                shown += "U+" + String(repeating: "0", count: 4 - digits.count) + digits
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("The page forbids itself to make markup of texts, to run others' scripts and to fetch")
    func policy() throws {
        let page = try OpenPage(PageSessions.few())
        for attempt in [
            "element.innerHTML = '<b>x</b>'", "element.setAttribute('onclick', 'run()')",
            "document.write('x')",
            "element.insertAdjacentHTML('beforeend', '<b>x</b>')",
            "element.srcdoc = 'x'",
        ] {
            let isStopped: Bool = try page.value(
                """
                (() => {
                    const element = document.createElement('iframe');
                    try { \(attempt); return false; } catch { return true; }
                })()
                """)
            expect(isStopped, "\(attempt)")
        }
        try page.run(
            """
            (() => {
                const image = new Image();
                const stopped = new Promise(resolve => image.addEventListener('error', resolve));
                image.src = 'http://127.0.0.1:9/icon.png';
                document.body.append(image);
                return stopped;
            })()
            """)
        let noted = try page.noted()
        expect(noted.contains { $0.hasPrefix("img-src:") })
    }

    @Test("Without scripts all tabs are a plain list, hostile ones too")
    func plainList() throws {
        let sessions = PageSessions.few() + [HostileSession.make()]
        let page = try OpenPage([])
        let bytes = pageBytes(
            of: sessions, title: "Plain", exportedAt: SessionSampler.now, losses: ["<b>lost</b>"])
        // A frame in which no script runs.
        try page.call("Page.navigate", ["url": "about:blank"])
        let text = String(
            decoding: try JSONEncoder().encode(String(decoding: bytes, as: UTF8.self)),
            as: UTF8.self)
        try page.run(
            """
            (() => {
                const frame = document.createElement('iframe');
                frame.sandbox = 'allow-same-origin';
                frame.srcdoc = \(text);
                const loaded = new Promise(resolve => frame.addEventListener('load', resolve));
                document.body.append(frame);
                globalThis.plain = () => frame.contentDocument;
                return loaded;
            })()
            """)
        let tabs = sessions.reduce(0) { $0 + $1.tabs.count }
        expect(
            try page.value("plain().querySelectorAll('noscript ol > li').length", as: Int.self)
                == tabs)
        let titles: [String] = try page.value(
            "[...plain().querySelectorAll('noscript li > a > bdi')].map(each => each.textContent)")
        expect(
            titles.prefix(4),
            is: ["Żółć i woda", "Straße", "STRASSE nach İstanbul", "Résumé (PDF)"])
        let isSeen = "plain().querySelector('noscript li').getClientRects().length > 0"
        expect(try page.value(isSeen, as: Bool.self))
        let isBarHidden = "plain().getElementById('bar').getClientRects().length === 0"
        expect(try page.value(isBarHidden, as: Bool.self))
        let strange = "[...plain().body.querySelectorAll('img, b, iframe, svg[onload]')]"
        expect(try page.value("\(strange).map(each => each.outerHTML)", as: [String].self) == [])
        let targets: [String] = try page.value(
            "[...plain().querySelectorAll('a')].map(each => each.href)")
        expect(targets.allSatisfy { $0.hasPrefix("http") || $0.hasPrefix("ftp:") })
        let heads: [String] = try page.value(
            "[...plain().querySelectorAll('noscript h2')].map(each => each.textContent)")
        expect(
            heads.prefix(4),
            is: [
                "Büro", "Window 2: resume the game", "Window 1 – recently closed",
                "Window 3 – incognito: Secret",
            ])
    }

    @Test("A page without tabs says so, and addresses that hold pictures do no harm")
    func extremes() throws {
        let empty = try OpenPage([])
        expect(try empty.texts(".none:not([hidden])") == ["There are no tabs."])
        expect(try empty.texts("#count") == ["0 tabs"])
        try empty.sort(by: "use")
        try empty.press("j", "h", "/", "x", "Escape")
        expect(try empty.noted() == [])

        var session = PageSessions.few()[0]
        let picture = "data:image/png;base64," + String(repeating: "iVBORw0KGgo", count: 200_000)
        session.nodes = []
        for index in session.tabs.indices {
            session.tabs[index].metadata.url = picture + "\(index)"
            session.tabs[index].metadata.title = picture
            session.tabs[index].metadata.group = nil
        }
        let page = try OpenPage([session])
        try page.search("iVBORw0KGgo3")
        expect(try page.texts("#count") == ["1 of 5 tabs"])
        try page.press("ArrowDown", "h")
        let shown = "document.getElementById('tabs').textContent.length"
        expect(try page.value(shown, as: Int.self) < 20_000)
        expect(try page.overflow() <= 0)
        expect(try page.noted() == [])
    }
}
