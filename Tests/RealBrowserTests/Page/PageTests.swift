import BrowserDriving
import BrowserSessions
import Expectations
import Foundation

/// The page of an export as people meet it: in a browser, with its keys and at its sizes.
@Suite(
    "Page of an export in Chromium", .serialized,
    .enabled(if: Judge.areWanted, Judge.unwanted),
    .enabled(if: Judge.chromium.isInstalled, "Chromium is not installed"))
struct PageTests {}

// MARK: - Finding

extension PageTests {
    /// What is searched for, the titles that are found in the order of the page, and what is marked.
    static let searches: [(query: String, titles: [String], marks: [String])] = [
        ("zolc", ["Żółć i woda", "Closed zolc"], ["Żółć", "zolc", "zolc"]),
        ("ZÓŁĆ", ["Żółć i woda", "Closed zolc"], ["Żółć", "zolc", "zolc"]),
        ("strasse", ["Straße", "STRASSE nach İstanbul"], ["Straße", "STRASSE"]),
        ("istanbul", ["STRASSE nach İstanbul"], ["İstanbul"]),
        ("pdf resume", ["Résumé (PDF)"], ["Résumé", "PDF", "pdf"]),
        ("resume", ["Résumé (PDF)", "resume the game"], ["Résumé", "resume"]),
        // An address is found as it is written, and as people read it.
        ("новое", [], []), ("ново", ["Новости", "resume the game"], ["Ново"]),
        ("%d0%bd", ["resume the game"], ["%D0%BD"]),
        ("https://c.example cv", ["Résumé (PDF)"], ["c.example", "cv"]),
        ("nothing like this", [], []), ("zolc secret", [], []),
    ]

    @Test("A search finds all words in title and address, whatever their case and marks")
    func search() throws {
        let page = try OpenPage(PageSessions.few())
        expect(try page.texts("#count") == ["10 tabs"])
        for (query, titles, marks) in Self.searches {
            try page.search(query)
            expect(try page.titles() == titles, "\(query)")
            expect(try page.texts("#count") == ["\(titles.count) of 10 tabs"], "\(query)")
            expect(try page.texts("mark") == marks, "\(query)")
            let isNothing = try page.value("!document.querySelector('.none').hidden", as: Bool.self)
            expect(isNothing, is: titles.isEmpty, "\(query)")
        }
        try page.search("")
        expect(try page.texts("#count") == ["10 tabs"])
        expect(try page.texts("mark") == [])
        expect(try page.noted() == [])
    }

    @Test("What was closed and what is incognito stand apart and are named so")
    func kinds() throws {
        let page = try OpenPage(PageSessions.few())
        expect(
            try page.texts(".kind > h2") == [
                "Windows8 tabs", "Recently closed1 tab", "Incognito1 tab",
            ])
        expect(
            try page.texts(".window h3")
                == ["Büro", "Window 2: resume the game", "Window 1", "Window 3: Secret"])
        expect(try page.texts("#about") == ["3 windows open · written 1 Jan 2026"])
        try page.search("zolc")
        expect(
            try page.texts(".kind:not([hidden]) > h2")
                == ["Windows1 of 8 tabs", "Recently closed1 tab"])
        try page.search("")
        try page.run(
            "(select => { select.value = '3'; select.dispatchEvent(new Event('change')); })"
                + "(document.getElementById('window'))")
        expect(try page.titles() == ["Secret"])
        expect(try page.texts("#count") == ["1 of 10 tabs"])
    }

    @Test("Pins, groups with their colours and the active tab are marked; groups fold")
    func groups() throws {
        let page = try OpenPage(PageSessions.few())
        expect(try page.texts(".pill") == ["Reise", "Später"])
        expect(try page.texts(".tab.active .name > bdi") == ["Straße"])
        expect(try page.texts(".tab:has(.spoken) .name > bdi") == ["Żółć i woda"])
        let colour =
            "getComputedStyle(document.querySelector('.group')).getPropertyValue('--group')"
        expect(try page.value(colour, as: String.self).isEmpty == false)
        expect(try page.count(".tab[data-colour=blue]") == 2)
        // The second group is folded, as in the session.
        let all = ["Żółć i woda", "Straße", "STRASSE nach İstanbul", "Résumé (PDF)", "Новости"]
        expect(try page.titles().prefix(4) == [all[0], all[1], all[2], all[4]])
        try page.run("document.querySelectorAll('.fold')[1].click()")
        expect(try page.titles().prefix(5) == all[...])
        try page.run("document.querySelectorAll('.fold')[0].click()")
        expect(try page.titles().prefix(3) == [all[0], all[3], all[4]])
        // A search shows what is in folded groups too.
        try page.search("strasse")
        expect(try page.titles() == [all[1], all[2]])
    }

    @Test("Lists are sorted by last use, title and site")
    func sorting() throws {
        let page = try OpenPage(PageSessions.few())
        try page.sort(by: "use")
        expect(
            try page.titles().prefix(6) == [
                "Żółć i woda", "Straße", "STRASSE nach İstanbul", "Résumé (PDF)", "Новости",
                "resume the game",
            ])
        expect(try page.texts(".head h3").first?.hasPrefix("Saturday, 27 December 2025") == true)
        try page.sort(by: "title")
        let titles = try page.titles()
        expect(
            titles,
            is: [
                "note", "Résumé (PDF)", "resume the game", "Straße", "STRASSE nach İstanbul",
                "Żółć i woda", "Новости", "untitled.example", "Closed zolc", "Secret",
            ])
        try page.sort(by: "site")
        expect(
            try page.texts(".head h3 > bdi") == [
                "a.example", "b.example", "c.example", "d.example", "untitled.example", "about:",
                "a.example", "e.example",
            ])
        try page.search("a.example y")
        expect(try page.titles() == ["STRASSE nach İstanbul"])
        try page.sort(by: "window")
        expect(try page.titles() == ["STRASSE nach İstanbul"])
        expect(try page.noted() == [])
    }
}
