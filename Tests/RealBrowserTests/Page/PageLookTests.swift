import BrowserDriving
import BrowserSessions
import Expectations
import SessionSamples
import TestSupport

extension PageTests {
    @Test("Nothing reaches beyond the edge of a phone or a desktop, however long texts are")
    func widths() throws {
        let sessions = PageSessions.many(windows: 6, tabs: 60)
        let losses = [String(repeating: "loss", count: 500)]
        let page = try OpenPage(sessions, title: losses[0], losses: losses)
        for size in [OpenPage.desktop, OpenPage.phone, (width: 720, height: 1000)] {
            try page.resize(to: size)
            for order in ["window", "use", "title", "site"] {
                try page.sort(by: order)
                expect(try page.overflow() <= 0, "\(size) by \(order)")
                if size == OpenPage.phone { expect(try Self.narrowest(on: page) > 320) }
                try page.press("j", "h")
                expect(try page.count(".details") == 1)
                expect(try page.overflow() <= 0, "\(size) by \(order), unfolded")
                try page.press("h")
            }
        }
        expect(try page.noted() == [])
    }

    /// The width of the narrowest list.
    private static func narrowest(on page: OpenPage) throws -> Double {
        try page.value(
            """
            Math.min(...[...document.querySelectorAll('.roll')]
                .map(each => each.getBoundingClientRect().width))
            """)
    }

    @Test("Windows are columns on a desktop and below each other on a phone")
    func columns() throws {
        let page = try OpenPage(PageSessions.few())
        let lefts =
            "[...document.querySelectorAll('.window')].map(each => each.getBoundingClientRect().left)"
        expect(Set(try page.value(lefts, as: [Double].self)).count, is: 4)
        try page.resize(to: OpenPage.phone)
        try page.waitUntilStable()
        expect(Set(try page.value(lefts, as: [Double].self)).count, is: 1)
        try page.run("scrollTo(0, 600)")
        try page.waitUntilStable()
        let top = "document.getElementById('query').getBoundingClientRect().top"
        expect(try page.value("scrollY > 100", as: Bool.self))
        expect((0..<40).contains(try page.value(top, as: Double.self)))
    }

    @Test("On paper are all windows with all tabs, or what was found")
    func paper() throws {
        let sessions = PageSessions.few()
        let page = try OpenPage(sessions)
        try page.print(true)
        expect(try page.texts("#paper h2") == ["Windows", "Recently closed", "Incognito"])
        expect(
            try page.texts("#paper h3")
                == ["Büro", "Window 2: resume the game", "Window 1", "Window 3: Secret"])
        expect(try page.texts("#paper li.group") == ["Reise", "Später"])
        expect(try page.count("#paper li:not(.group)") == 10)
        expect(try page.texts("#paper .badge") == ["pinned", "active"])
        let seen = "[...document.body.children].filter(each => each.getClientRects().length > 0)"
        expect(try page.value("\(seen).map(each => each.id)", as: [String].self) == ["paper"])
        expect(try page.overflow() <= 0)
        try page.print(false)
        expect(try page.count("#paper *") == 0)
        try page.search("zolc")
        try page.print(true)
        expect(try page.count("#paper li:not(.group)") == 2)
        expect(try page.texts("#paper header p").last == "2 of 10 tabs with zolc")
        // As the browser's own command prints it.
        try page.print(false)
        try page.search("")
        try page.run("(dispatchEvent(new Event('beforeprint')), 1)")
        expect(try page.count("#paper li:not(.group)") == 10)
        expect(try page.noted() == [])
    }

    @Test("Colours follow the system until the switch is used, and every text can be read in both")
    func colours() throws {
        let page = try OpenPage(PageSessions.few(), losses: ["something"])
        let ground = "getComputedStyle(document.documentElement).backgroundColor"
        let light = try page.value(ground, as: String.self)
        let faintWhenLight = try Self.faint(on: page)
        expect(faintWhenLight, is: [])
        try page.colours(areDark: true)
        let dark = try page.value(ground, as: String.self)
        expect(light != dark)
        let faintWhenDark = try Self.faint(on: page)
        expect(faintWhenDark, is: [])
        let state = "document.getElementById('dark').getAttribute('aria-checked')"
        expect(try page.value(state, as: String.self) == "true")
        try page.run("document.getElementById('dark').click()")
        expect(try page.value(ground, as: String.self) == light)
        expect(try page.value(state, as: String.self) == "false")
        expect(try page.noted() == [])
    }

    /// Texts with a contrast below 4.5, the minimum of WCAG 2, to what is behind them.
    private static func faint(on page: OpenPage) throws -> [String] {
        try page.search("a")
        try page.press("ArrowDown", "h")
        return try page.value(
            """
            (() => {
                const context = document.createElement("canvas").getContext("2d");
                const channels = colours => {
                    context.clearRect(0, 0, 1, 1);
                    for (const colour of colours) {
                        context.fillStyle = colour;
                        context.fillRect(0, 0, 1, 1);
                    }
                    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
                };
                const light = colours => channels(colours)
                    .map(each => each / 255)
                    .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
                    .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
                const faint = [];
                for (const node of document.querySelectorAll("body *")) {
                    const text = [...node.childNodes].some(
                        each => each.nodeType === 3 && each.textContent.trim() !== "");
                    if (!text || node.getClientRects().length === 0 || node.matches("option")) continue;
                    const behind = [];
                    for (let each = node; each; each = each.parentElement) {
                        behind.unshift(getComputedStyle(each).backgroundColor);
                    }
                    const own = getComputedStyle(node).color;
                    const [a, b] = [light(behind), light([...behind, own])];
                    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                    if (contrast < 4.5) {
                        faint.push(`${node.className || node.id || node.localName} `
                            + `${node.textContent}: ${contrast.toFixed(2)}`);
                    }
                }
                return faint;
            })()
            """)
    }
}
