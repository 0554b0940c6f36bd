import Foundation
import SessionSamples
import TestSupport

/// Writes profiles with as many tabs as one likes, of about the size that real tabs have.
struct LargeProfile {
    let tabs: Int
    /// Tabs of one window.
    private static let windowSize = 500
    private static let hosts = (0..<400).map { "site-\($0).example.org" }

    // MARK: - Firefox

    /// About four kilobytes for each tab: three entries, an icon, what the browser notes of a page.
    func firefox() -> [UInt8] {
        var generator = SeededGenerator(seed: 5)
        let icons = (0..<200).map { _ in Self.icon(&generator) }
        var text = Array(#"{"version":["sessionrestore",1],"windows":["#.utf8)
        for first in stride(from: 0, to: tabs, by: Self.windowSize) {
            text += Array((first > 0 ? "," : "").utf8) + Array(#"{"tabs":["#.utf8)
            for tab in first..<min(first + Self.windowSize, tabs) {
                if tab > first { text += [UInt8(ascii: ",")] }
                text += Array(Self.tab(tab, icon: icons[tab % icons.count], &generator).utf8)
            }
            text += Array(#"],"selected":1,"width":1280,"height":800,"_closedTabs":[]}"#.utf8)
        }
        return text
            + Array(#"],"selectedWindow":1,"session":{"lastUpdate":1715679300000}}"#.utf8)
    }

    private static func icon(_ generator: inout SeededGenerator) -> String {
        let bytes = (0..<1_200).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return "data:image/png;base64," + Data(bytes).base64EncodedString()
    }

    private static func tab(_ number: Int, icon: String, _ generator: inout SeededGenerator)
        -> String
    {
        let host = hosts[number % hosts.count]
        let entries = (0..<3).map { entry in
            let id = UInt64.random(in: 0...(.max), using: &generator)
            return
                #"{"url":"https://\#(host)/\#(number)/\#(entry)?q=\#(id)","title":"Page \#(entry) of "#
                + #"tab \#(number) – \#(host)","cacheKey":0,"ID":\#(id % 100_000),"docshellUUID":"#
                + #""{\#(String(id, radix: 16))}","referrerInfo":"BBoSnxDOS9qmDeAnom1e0AAAAAAAAAAA","#
                + #""principalToInherit_base64":"{\"0\":{\"0\":\"moz-nullprincipal:{\#(id)}\"}}","#
                + #""hasUserInteraction":true,"triggeringPrincipal_base64":"{\"3\":{}}"}"#
        }
        return #"{"entries":[\#(entries.joined(separator: ","))],"index":3,"lastAccessed":"#
            + #"\#(1_715_000_000_000 + number),"hidden":false,"searchMode":null,"userContextId":0,"#
            + #""attributes":{},"image":"\#(icon)","scroll":{"scroll":"0,\#(number % 5_000)"}}"#
    }

    func writeFirefox(to folder: TemporaryFolder) throws {
        for name in ["prefs.js", "times.json"] { try folder.write([], to: "firefox/" + name) }
        try folder.write(mozLZ4(firefox()), to: "firefox/sessionstore.jsonlz4")
    }

    // MARK: - Chromium

    /// About two kilobytes for each tab: three entries with the state of their pages.
    func chromium() -> [UInt8] {
        SNSSSample.open(
            Int32(tabs), windowSize: Int32(Self.windowSize), entries: 3,
            state: String(repeating: "s", count: 400)
        ).bytes
    }

    func writeChromium(to folder: TemporaryFolder) throws {
        try folder.write(Array("{}".utf8), to: "chromium/Default/Preferences")
        try folder.write(chromium(), to: "chromium/Default/Sessions/Session_13360152600000000")
    }
}
