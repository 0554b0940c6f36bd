import BrowserSessions
import Expectations

/// What is open twice is marked, and links are chosen and copied.
extension PageTests {
    /// The tests' sessions, with a closed window, and two tabs of one address in two windows.
    private func sessions() -> [SessionSnapshot] {
        var sessions = PageSessions.few()
        sessions[1].tabs[0].metadata.url = sessions[0].tabs[1].metadata.url
        var closed = sessions[1]
        closed.id.window = WindowID(high: 0, low: 9)
        closed.attributes.closedAt = Timestamp(microseconds: 1_700_000_000_000_000)
        for index in closed.tabs.indices { closed.tabs[index].metadata.id = .random() }
        return sessions + [closed]
    }

    @Test("The same address twice is marked in open windows, and shown alone if asked")
    func doubles() throws {
        let page = try OpenPage(sessions())
        expect(try page.texts(".badge.double") == ["twice", "twice"])
        let titles: [String] = try page.value(
            "[...document.querySelectorAll('.badge.double')].map(each => each.title)")
        expect(titles.first?.contains("Window 2: resume the game"), is: true, "\(titles)")
        expect(try page.texts("#about")[0].contains("1 closed · 1 address open twice"))
        try page.run(
            "(select => { select.value = 'doubles'; select.dispatchEvent(new Event('change')); })"
                + "(document.getElementById('window'))")
        expect(try page.titles() == ["Straße", "resume the game"])
        expect(try page.texts(".window:not([hidden]) h3").count == 2)
        expect(try page.noted() == [])
    }

    @Test("Open and closed windows stand apart, and a closed one says when")
    func closedWindows() throws {
        let page = try OpenPage(sessions())
        expect(
            try page.texts(".kind > h2") == [
                "Windows8 tabs", "Closed windows3 tabs", "Recently closed1 tab", "Incognito1 tab",
            ])
        expect(
            try page.texts("[data-kind=closed-window] header p") == ["3 tabs · closed 14 Nov 2023"])
    }

    @Test("Tabs are chosen by key and mark, and their links copied in the order of the page")
    func choosing() throws {
        let page = try OpenPage(PageSessions.few())
        try page.run(
            """
            document.addEventListener('copy', event => {
                globalThis.copies = ['text/plain', 'text/html'].map(each =>
                    event.clipboardData.getData(each));
            })
            """)
        func copies() throws -> [String] { try page.value("globalThis.copies") }
        try page.press("j", "c")
        expect(try copies()[0] == "https://a.example/zolc\n")
        expect(try page.texts("#said") == ["1 link copied"])
        expect(try page.focused() == "Żółć i woda")
        try page.press("ArrowRight", "x", "ArrowLeft", "Home", "x")
        expect(try page.texts("#chosen-count") == ["2 tabs chosen"])
        try page.press("c")
        let first = "https://a.example/zolc"
        let second = "https://www.b.example/game?x=%D0%BD%D0%BE%D0%B2%D0%BE"
        expect(try copies()[0] == "\(first)\n\(second)\n")
        let html = try copies()[1]
        expect(
            html.contains("<a class=\"\" href=\"\(first)\"") || html.contains("href=\"\(first)\""))
        expect(html.contains(">resume the game</a>") && !html.contains("<script"))
        try page.run("(document.querySelector('.tab.chosen .pick').click(), 1)")
        expect(try page.count(".tab.chosen") == 1)
        try page.search("zolc")
        try page.press("ArrowDown", "X")
        expect(try page.texts("#chosen-count") == ["3 tabs chosen"])
        try page.press("Escape", "Escape")
        try page.run("(document.getElementById('choose-none').click(), 1)")
        expect(try page.count(".tab.chosen") == 0)
        expect(try page.value("document.getElementById('chosen').hidden", as: Bool.self))
        expect(try page.noted() == [])
    }
}
