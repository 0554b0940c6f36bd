import BrowserSessions
import Expectations
import Foundation

@testable import SessionInterop

/// What newer versions of Firefox write beside tabs and windows: it comes out as groups, or as
/// properties named `firefox.<key>`.
@Suite("Newer fields of Firefox")
struct FirefoxFieldsTests {
    private func read(_ text: [UInt8]) throws -> SourceReading {
        let reading = try FirefoxFormat.read(text, name: "", limits: ImportLimits())
        expect(reading.log.problems.isEmpty)
        return reading
    }

    private func draft(_ tabs: [String], _ window: String = "", root: String = "") throws
        -> [SessionDraft]
    {
        try read(FirefoxDesktopSample.text(tabs, window, root: root)).drafts
    }

    @Test("Hidden tabs, containers, split views and audio marks are properties of their tabs")
    func tabs() throws {
        let tabs = [
            FirefoxDesktopSample.tab(0, #","userContextId":4,"splitViewId":7,"muted":true"#)
                .replacing(#""hidden":false"#, with: #""hidden":true"#),
            FirefoxDesktopSample.tab(1, #","canonicalUrl":"","tabNote":{"text":"n"}"#),
        ]
        let properties = try draft(tabs)[0].tabs.map(\.metadata.properties)
        expect(
            properties,
            is: [
                [
                    "firefox.hidden": "true", "firefox.userContextId": "4",
                    "firefox.muted": "true",
                ], ["firefox.tabNote": #"{"text":"n"}"#],
            ])
    }

    @Test("Lists and objects of a window are properties too, but for what has a place of its own")
    func window() throws {
        let window =
            #","splitViews":[{"id":7,"numberOfTabs":2}],"sidebar":{"expanded":true},"zIndex":1,"#
            + #""isPopup":false,"title":"","cookies":[{"host":"a","value":"secret"}],"groups":[]"#
        let draft = try draft([FirefoxDesktopSample.tab(0), FirefoxDesktopSample.tab(1)], window)[0]
        expect(
            draft.attributes.properties,
            is: [
                "firefox.sidebar": #"{"expanded":true}"#, "firefox.zIndex": "1",
                "firefox.width": "1280", "firefox.is-selected-window": "true",
            ])
        expect(draft.attributes.activeTab, is: draft.tabs[1].metadata.id)
    }

    @Test("Groups that were closed or saved are groups of recently closed sessions")
    func groups() throws {
        let closed = #"{"state":\#(FirefoxDesktopSample.tab(5, #","groupId":"c""#)),"closedAt":9}"#
        let group =
            #"{"id":"c","name":"Closed","color":"red","collapsed":true,"tabs":[\#(closed)]}"#
        let saved = group.replacing(#""id":"c","name":"Closed""#, with: #""id":"s","name":"Saved""#)
        let drafts = try draft(
            [FirefoxDesktopSample.tab(0), FirefoxDesktopSample.tab(1)],
            #","closedGroups":[\#(group)]"#, root: #","savedGroups":[\#(saved)]"#)
        expect(drafts.map(\.id.kind), is: [.regular, .recentlyClosed, .recentlyClosed])
        expect(drafts[1].nodes.map(\.name), is: ["Closed"])
        expect(drafts[1].nodes[0].color, is: .red)
        expect(drafts[2].nodes.map(\.name), is: ["Saved"])
        expect(
            drafts.map { $0.attributes.properties["firefox.is-saved-groups"] },
            is: [
                nil, nil, "true",
            ])
        for draft in drafts.dropFirst() {
            expect(draft.tabs.map(\.metadata.group), is: [draft.nodes[0].id])
        }
        expect(drafts[1].id.window, is: drafts[0].id.window)
    }

    @Test("A tab that was closed alone is in its group by name, and keeps what is said of it")
    func closedTab() throws {
        let closed =
            #"{"state":\#(FirefoxDesktopSample.tab(5, #","groupId":"g""#)),"title":"T","closedAt":12,"#
            + #""pos":3,"closedId":4,"closedInGroup":false,"closedInTabGroupId":"g","#
            + #""sourceWindowId":"window7","image":"data:i"}"#
        let drafts = try draft(
            [FirefoxDesktopSample.tab(0, #","groupId":"g""#), FirefoxDesktopSample.tab(1)],
            #","groups":[{"id":"g","name":"G","color":"cyan","collapsed":false}],"_closedTabs":[\#(closed)]"#
        )
        expect(drafts[1].nodes.map(\.name), is: ["G"])
        expect(drafts[1].nodes, is: drafts[0].nodes)
        let tab = drafts[1].tabs[0].metadata
        expect(tab.group, is: drafts[0].nodes[0].id)
        expect(tab.faviconURL, is: "data:i")
        expect(tab.closedFrom?.time, is: Timestamp(microseconds: 12000))
        expect(tab.closedFrom?.index, is: 3)
    }

    @Test("The session before, which the browser keeps to be restored on demand, is set aside")
    func lastSession() throws {
        let tabs = [FirefoxDesktopSample.tab(2), FirefoxDesktopSample.tab(3)].joined(separator: ",")
        let drafts = try draft(
            [FirefoxDesktopSample.tab(0), FirefoxDesktopSample.tab(1)],
            root: #","lastSessionState":{"windows":[{"tabs":[\#(tabs)],"selected":1}]}"#)
        expect(drafts.map(\.id.kind), is: [.regular, .setAside])
        expect(drafts[1].tabs.count == 2 && drafts[0].id.window != drafts[1].id.window)
    }

    @Test("Icons that are listed once and numbered, as in 2019, are put in place")
    func numberedIcons() throws {
        let tab = FirefoxDesktopSample.tab(0, #","image":"1""#)
        let root = #","_cachedObjs":[["1","data:one"],["2","data:two"]]"#
        let drafts = try draft([tab, FirefoxDesktopSample.tab(1)], root: root)
        expect(drafts[0].tabs.map(\.metadata.faviconURL), is: ["data:one", ""])
    }

    @Test("Cookies are not taken, and that is said")
    func cookies() throws {
        let reading = try FirefoxFormat.read(
            FirefoxDesktopSample.text(
                [FirefoxDesktopSample.tab(0), FirefoxDesktopSample.tab(1)],
                root: #","cookies":[{"host":"a","value":"secret"},{"host":"b"}]"#),
            name: "", limits: ImportLimits())
        expect(
            reading.log.problems, is: [ImportProblem(.note, at: "cookies", "not taken: 2 cookies")])
        expect(!"\(reading.drafts)".contains("secret"))
    }
}
