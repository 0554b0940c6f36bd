import BrowserDriving
import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

extension PageTests {
    /// Windows with tabs: one full one, what people have, and very many small ones.
    static let sizes = [(1, 10_000), (12, 834), (2000, 5)]

    @Test("10,000 tabs: what is in the document does not grow with them", arguments: sizes)
    func size(_ windows: Int, _ tabs: Int) throws {
        var sampler = SessionSampler(seed: 9)
        let sessions = sampler.windows(windows, tabs: tabs, state: .navigationOnly)
        let total = windows * tabs
        let texts = sessions.flatMap(\.tabs).map { tab in
            let url = tab.metadata.url
            return Self.folded(
                tab.metadata.title + "\n" + url + "\n" + (url.removingPercentEncoding ?? ""))
        }
        let page = try OpenPage(sessions)
        let shown: Double = try page.value(
            "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        expect(try page.texts("#count") == ["\(Self.grouped(total)) tabs"])
        var most = try page.count(".roll > li")
        var times: [String] = []
        for query in ["n", "ne", "new", "news", "news m", "zürich", "e"] {
            times.append("\(query) \(Int(try Self.milliseconds(of: query, on: page))) ms")
            let words = query.split(separator: " ").map { Self.folded(String($0)) }
            let found = texts.count { text in words.allSatisfy { text.contains($0) } }
            let expected = "\(Self.grouped(found)) of \(Self.grouped(total)) tabs"
            expect(try page.texts("#count") == [expected], "\(query)")
            most = max(most, try page.count(".roll > li"))
        }
        print(
            "page of \(windows) windows with \(tabs) tabs each: opens in \(Int(shown)) ms; a key: "
                + times.joined(separator: ", "))
        try page.search("")
        try page.press("ArrowDown", "End")
        expect(try page.focused() != "")
        for order in ["use", "title", "site"] {
            try page.sort(by: order)
            most = max(most, try page.count(".roll > li"))
            for step in 1...16 {
                try page.run("scrollTo(0, document.documentElement.scrollHeight * \(step) / 16)")
                try page.waitUntilStable()
                most = max(most, try page.count(".roll > li"))
            }
            let last: Bool = try page.value(
                "[...document.querySelectorAll('.roll > li')].some(row => "
                    + "row.getAttribute('aria-posinset') === row.getAttribute('aria-setsize'))")
            expect(last)
        }
        expect(most < 400)
        expect(try page.noted() == [])
    }

    /// From a key to the frame that shows what it found.
    private static func milliseconds(of query: String, on page: OpenPage) throws -> Double {
        try page.value(
            """
            (async query => {
                const start = performance.now();
                query.value = "\(query)";
                query.dispatchEvent(new Event("input"));
                await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
                return performance.now() - start;
            })(document.getElementById("query"))
            """)
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// `10,000`
    private static func grouped(_ number: Int) -> String {
        number < 1000
            ? "\(number)" : "\(number / 1000)," + String("\(number % 1000 + 1000)".dropFirst())
    }
}
