import BrowserDriving
import BrowserSessions
import Expectations
import SessionSamples
import TestSupport

extension PageTests {
    @Test("Everything can be done with the keyboard")
    func keys() throws {
        let page = try OpenPage(PageSessions.few())
        // One row alone is a stop of the Tab key, from the beginning.
        let stops = ".roll [data-stop][tabindex='0']"
        expect(try page.count(stops) == 1)
        try page.press("j")
        expect(try page.focused() == "Żółć i woda")
        try page.press("j")
        expect(try page.focused() == "Reise")
        try page.press("ArrowDown", "ArrowDown")
        expect(try page.focused() == "STRASSE nach İstanbul")
        try page.press("k")
        expect(try page.focused() == "Straße")
        try page.press("ArrowRight")
        expect(try page.focused() == "untitled.example")
        try page.press("ArrowLeft", "Home")
        expect(try page.focused() == "Żółć i woda")
        try page.press("End")
        expect(try page.focused() == "Новости")
        // From one window into the next, and to the end of all.
        try page.press("j")
        expect(try page.focused() == "resume the game")
        try page.press("j", "j", "j", "j", "j", "j")
        expect(try page.focused() == "Secret")
        expect(try page.count(stops) == 1)
        expect(try page.noted() == [])
    }

    @Test("The focus can be seen, and only the keyboard shows it")
    func focusRing() throws {
        let page = try OpenPage(PageSessions.few())
        try page.press("j")
        let style = "(({ outlineStyle, outlineWidth }) => outlineStyle + ' ' + outlineWidth)"
        let outline = "\(style)(getComputedStyle(document.activeElement))"
        expect(try page.value(outline, as: String.self) == "solid 2px")
    }

    @Test("A slash goes to the search, arrows and Enter to what it found, Escape clears it")
    func searchKeys() throws {
        let page = try OpenPage(PageSessions.few())
        let isInSearch = "document.activeElement.id === 'query'"
        try page.press("/")
        expect(try page.value(isInSearch, as: Bool.self))
        try page.press("s", "t", "r", "a", "s", "s", "e", "j")
        expect(try page.texts("#count") == ["0 of 10 tabs"])
        try page.press("Escape")
        expect(try page.texts("#count") == ["10 tabs"])
        expect(try page.value(isInSearch, as: Bool.self))
        try page.press("n", "a", "c", "h", "ArrowDown")
        expect(try page.focused() == "STRASSE nach İstanbul")
        try page.press("Escape")
        expect(try page.value("document.getElementById('query').value", as: String.self) == "")
    }

    @Test("Enter opens a link apart from this page, and the other page learns nothing")
    func opening() throws {
        let page = try OpenPage(PageSessions.few())
        try page.run(
            """
            document.addEventListener('click', event => {
                const { href, target, rel } = event.target.closest('a') ?? {};
                globalThis.opened = [href, target, rel].join(' ');
                event.preventDefault();
            })
            """)
        try page.press("j", "Enter")
        expect(
            try page.value("opened", as: String.self)
                == "https://a.example/zolc _blank noreferrer noopener")
        // What is no link unfolds.
        try page.search("about:config")
        try page.press("Enter", "Enter")
        expect(try page.texts(".details .whole") == ["note"])
    }

    @Test("The history unfolds with its current entry, and folds again")
    func history() throws {
        var session = PageSessions.few()[0]
        let entries = (0..<5).map { index in
            NavigationEntry(
                url: index == 3 ? "javascript:run()" : "https://h.example/\(index)",
                title: "Page \(index)")
        }
        let history = NavigationHistory(entries: entries, currentIndex: 2)
        session.nodes = []
        for index in session.tabs.indices { session.tabs[index].metadata.group = nil }
        session.tabs[0].states[.navigation] = history.encoded()
        session.tabs[1].states[.navigation] = [1, 2, 3]
        let page = try OpenPage([session])
        expect(try page.texts(".unfold").first == "5")
        try page.press("j", "h")
        expect(try page.focused() == "Żółć i woda")
        expect(try page.texts(".history .entry-name") == entries.map(\.title))
        expect(try page.texts(".history [aria-current=page] .entry-name") == ["Page 2"])
        let links: [String] = try page.value(
            "[...document.querySelectorAll('.history a')].map(each => each.href)")
        expect(links, is: [0, 1, 2, 4].map { "https://h.example/\($0)" })
        expect(try page.texts("#losses li") == ["The history of one tab could not be read."])
        // Down through the entries into the next tab.
        try page.press("j", "j", "j", "j", "j")
        expect(
            try page.value("document.activeElement.textContent", as: String.self)
                .hasPrefix("Page 4"))
        try page.press("j")
        expect(try page.focused() == "Straße")
        try page.press("h")
        expect(try page.texts(".nothing") == ["The history could not be read."])
        try page.press("j", "h")
        expect(
            try page.texts(".nothing") == [
                "The history could not be read.", "No history was saved.",
            ])
        try page.press("h", "k", "h", "k", "k", "Escape")
        expect(try page.focused() == "Żółć i woda")
        expect(try page.count(".details") == 0)
        expect(try page.noted() == [])
    }

    @Test("Of a very long history the part around its current entry is shown, and all when asked")
    func longHistory() throws {
        var session = PageSessions.few()[1]
        let entries = (0..<1000).map {
            NavigationEntry(url: "https://h.example/\($0)", title: "\($0)")
        }
        let history = NavigationHistory(entries: entries, currentIndex: 700)
        session.tabs[0].states[.navigation] = history.encoded()
        let page = try OpenPage([session])
        try page.press("j", "h")
        expect(try page.count(".history .entry") == 200)
        expect(try page.texts(".history .current .entry-name") == ["700"])
        try page.run("document.querySelector('.more').click()")
        expect(try page.texts(".history .entry-name") == entries.map(\.title))
    }

    @Test("Screen readers get what a row is, where it is in its list, and what happens")
    func semantics() throws {
        let page = try OpenPage(PageSessions.few())
        let rows: [[String]] = try page.value(
            """
            [...document.querySelectorAll('.window:first-of-type .roll > li')].slice(0, 3).map(row =>
                [row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')])
            """)
        expect(rows, is: [["1", "6"], ["2", "6"], ["3", "6"]])
        expect(try page.count("ol.roll[role=list][aria-label]") == 4)
        expect(try page.count("main, header, [role=search], output[role=status]") >= 4)
        expect(try page.count("button:not([aria-label]):not(.fold):not(#kinds button)") == 0)
        expect(try page.count("[aria-expanded=true].fold, [aria-expanded=false].fold") == 2)
        expect(try page.count("span.open[role=link][aria-disabled=true]") == 1)
    }
}
