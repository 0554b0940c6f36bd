import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

@testable import SessionInterop

/// Damage in the middle of JSON: reading goes on at the next tab.
@Suite("Damaged JSON")
struct JSONDamageTests {
    /// Two windows of three tabs, with a closed tab each, a closed window, and groups: one of open tabs
    /// in each window, one that was closed in the second, and a saved one.
    private static let text: [UInt8] = {
        let tabs = (0..<12).map { number in
            // Twice, so that no damaged number is taken for another tab's.
            let url = "https://example.org/\(number)-\(number)/"
            let frames = #""children":[{"url":"about:blank","ID":3},{"url":"about:srcdoc","ID":4}]"#
            return #"{"entries":[{"url":"\#(url)a","title":"A","ID":1,\#(frames)},"#
                + #"{"url":"\#(url)b","ID":2}],"index":1,"lastAccessed":1702400282166,"groupId":"g","#
                + #""formdata":{"id":{"a":"b"},"children":[null,{"id":{"c":"d"}}]}}"#
        }
        let groups = #""groups":[{"id":"g","name":"G","color":"blue","collapsed":false}]"#
        func window(_ first: Int, _ rest: String = "") -> String {
            let open = tabs[first..<(first + 3)].joined(separator: ",")
            let closed = #"{"state":\#(tabs[first + 3]),"title":"C","closedAt":1702400282166}"#
            return
                #"{"tabs":[\#(open)],"selected":1,\#(groups),"_closedTabs":[\#(closed)]\#(rest)}"#
        }
        func group(_ id: String, _ tab: Int) -> String {
            #"[{"id":"\#(id)","name":"G","color":"red","collapsed":true,"#
                + #""tabs":[{"state":\#(tabs[tab]),"closedAt":1702400282166}]}]"#
        }
        let last = window(4, #","closedGroups":\#(group("h", 10))"#)
        let closed = #"{"tabs":[\#(tabs[8]),\#(tabs[9])],"selected":1,\#(groups)}"#
        return Array(
            #"{"version":["sessionrestore",1],"windows":[\#(window(0)),\#(last)],"#.utf8)
            + Array(#""selectedWindow":1,"_closedWindows":[\#(closed)],"#.utf8)
            + Array(#""savedGroups":\#(group("s", 11))}"#.utf8)
    }()

    private func read(_ bytes: [UInt8]) throws -> SourceReading {
        try FirefoxFormat.read(bytes, name: "", limits: ImportLimits())
    }

    /// The numbers of the tabs that can be recognised by an address, session by session.
    private func numbers(_ reading: SourceReading) -> [[Int]] {
        reading.drafts.map { draft in
            draft.tabs.compactMap { tab in
                tab.history?.entries.lazy.compactMap { entry in
                    Self.number(entry.url)
                }.first
            }
        }
    }

    private static func number(_ url: String) -> Int? {
        let path = url.dropFirst("https://example.org/".count).prefix { $0 != "/" }
        let parts = path.split(separator: "-", omittingEmptySubsequences: false)
        return parts.allSatisfy { $0 == parts[0] } ? Int(parts[0]) : nil
    }

    @Test("Closed tabs of a window that seems to end before them are kept and reported")
    func strays() throws {
        let text = String(decoding: Self.text, as: UTF8.self)
        let place = try require(text.ranges(of: #"":[{"id":"g""#).dropFirst().first)
        let damaged = text.replacingCharacters(in: place, with: #"id":"g""#)
        let reading = try read(Array(damaged.utf8))
        expect(Set(numbers(reading).joined()), is: Set(0..<12))
        expect(numbers(reading).contains([7, 10]))
        expect(reading.log.problems.contains { $0.location == "root" })
        let before = #"{"version":["sessionrestore",1],"windows":[],"lastSessionState":"#
        let last = try read(Array("\(before)\(damaged)}".utf8))
        expect(numbers(last).contains([7, 10]))
        expect(last.log.problems.contains { $0.location == "lastSessionState" })
    }

    @Test("What a private window that seems to end too early held stays private")
    func privateStrays() throws {
        func window(_ privacy: String, end: String) -> String {
            let tab = #"{"entries":[{"url":"https://a.example/"}]}"#
            let closed = #""_closedTabs":[{"state":\#(tab),"title":"C"}]"#
            return #"{"windows":[{"tabs":[\#(tab)]\#(end),\#(closed)\#(privacy)"#
        }
        for text in [
            window(#","isPrivate":true}"#, end: "}]"),
            window("}", end: #","isPrivate":true}]"#),
        ] {
            let reading = try read(Array(text.utf8))
            expect(reading.drafts.map(\.tabs.count), is: [1, 1], "\(text)")
            expect(reading.drafts.allSatisfy { $0.id.kind == $0.id.kind.inIncognito }, "\(text)")
        }
    }

    @Test("Sound text gives all")
    func sound() throws {
        let reading = try read(Self.text)
        expect(numbers(reading), is: [[0, 1, 2], [3], [4, 5, 6], [7, 10], [8, 9], [11]])
        expect(reading.log.problems.isEmpty)
    }

    @Test("No byte that is changed costs more than one tab, or moves one to another window")
    func oneByte() throws {
        let step = TestRun.amount(23, nightly: 1)
        for place in stride(from: 0, to: Self.text.count, by: step) {
            var damaged = Self.text
            damaged[place] ^= [0x01, 0x20, 0xFF][place % 3]
            let reading = try read(damaged)
            let found = numbers(reading)
            let context = "byte \(place): \(found), \(reading.log.problems)"
            expect(Set(found.joined()).count >= 11, "\(context)")
            expect(found.joined().count <= 13, "\(context)")
            for session in found {
                let owners = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 1, 3]
                expect(Set(session.map { owners[$0] }).count <= 1, "\(context)")
            }
        }
    }

    @Test("A damaged bracket or quote is reported with the bytes that were not read")
    func unreadBytes() throws {
        let text = String(decoding: Self.text, as: UTF8.self)
        let place = try require(text.range(of: #"{"entries":[{"url":"https://example.org/1-1/a""#))
        let offset = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
        var damaged = Self.text
        damaged[offset] = UInt8(ascii: "#")
        let reading = try read(damaged)
        expect(numbers(reading)[0], is: [0, 1, 2])
        let problem = try require(reading.log.problems.first)
        expect(problem.severity == .loss && problem.location == "byte \(offset)")
        expect(
            problem.message,
            is: "the text is damaged: an unexpected character; not read: 12 bytes")
    }

    @Test(
        "Text that is missing may move all after it to another level; the tabs are found all the same"
    )
    func levels() throws {
        for length in 1...5 {
            for start in stride(
                from: 0, to: Self.text.count - length, by: TestRun.amount(37, nightly: 3))
            {
                var damaged = Self.text
                damaged.removeSubrange(start..<(start + length))
                let found = Set(numbers(try read(damaged)).joined())
                expect(found.count >= 11, "\(length) bytes at \(start): \(found)")
            }
        }
    }

    @Test("A window, and the text, that seem to end too early go on")
    func earlyEnd() throws {
        let text = String(decoding: Self.text, as: UTF8.self)
        let place = try require(text.range(of: #"":[{"state""#))
        let reading = try read(Array(text.replacingCharacters(in: place, with: #" state""#).utf8))
        expect(Set(numbers(reading).joined()).isSuperset(of: [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]))
        expect(reading.log.problems.first?.message.contains("text after the end"), is: true)
    }

    @Test("Lists of groups are found under damaged names, too")
    func names() throws {
        let text = String(decoding: Self.text, as: UTF8.self)
        let last =
            #"{"version":["sessionrestore",1],"lastSessionState":{"windows":[{"tabs":[{"entries":[{"url":"a:b"}]}]}]}}"#
        let names = [
            ("savedGroups", text), ("closedGroups", text), ("lastSessionState\":{\"windows", last),
        ]
        for (name, text) in names {
            let place = try require(text.range(of: name)).upperBound
            var damaged = Array(text.utf8)
            damaged[text.utf8.distance(from: text.startIndex, to: place) - 2] = UInt8(ascii: "#")
            let reading = try read(damaged)
            let sound = try read(Array(text.utf8))
            expect(reading.drafts.flatMap(\.tabs).count, is: sound.drafts.flatMap(\.tabs).count)
            expect(
                reading.log.problems.map(\.message).contains("the name of the list is damaged"),
                "\(name)")
        }
        let group = text.replacing(
            ##""collapsed":true,"tabs""##, with: ##""collapsed":true,"t###""##)
        let tabs = numbers(try read(Array(group.utf8)))
        expect(tabs, is: [[0, 1, 2], [3], [4, 5, 6], [7, 10], [8, 9], [11]])
    }

    @Test("More values than the limit are no damage, so nothing is looked for")
    func limit() throws {
        // An odd entry, which in a damaged text would be taken for a tab at the wrong place.
        let entries = #"{"url":"a:b"},{"state":{},"title":"odd"}"#
        let text = Array(
            #"{"windows":[{"tabs":[{"entries":[\#(entries)]}],"more":[0,0,0,0,0,0,0,0]}]}"#.utf8)
        for limit in [12, 1_000] {
            let (value, failures) = JSONParser.parse(
                text, shapes: .firefoxDesktop, maximum: limit)
            expect(failures.map(\.isLimit), is: (limit == 12 ? [true] : []))
            let tab = value?["windows"]?.array?.first?["tabs"]?.array?.first
            expect(tab?["entries"]?.array?.count, is: 2)
        }
    }

    @Test("Several damaged places cost the tabs that they are in")
    func several() throws {
        let sound = FirefoxDesktopSample.text(tabs: 60)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<TestRun.amount(10, nightly: 300) {
            var damaged = sound
            for _ in 0..<6 {
                let place = Int.random(in: 0..<sound.count, using: &generator)
                damaged[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
            }
            expect(Set(numbers(try read(damaged)).joined()).count >= 54)
        }
    }

    @Test("A stretch that is gone costs what was in it")
    func hole() throws {
        let sound = FirefoxDesktopSample.text(tabs: 60)
        for start in stride(
            from: 40, to: sound.count - 2_100, by: TestRun.amount(1_409, nightly: 101))
        {
            var damaged = sound
            damaged.removeSubrange(start..<(start + 2_000))
            let lost = 2_000 / (sound.count / 60) + 2
            expect(Set(numbers(try read(damaged)).joined()).count >= 60 - lost, "\(start)")
        }
    }

    @Test("Windows of Firefox for iOS go on at the next tab too")
    func firefoxIOS() throws {
        let folder = TemporaryFolder()
        let sound = FirefoxIOSSample.file(tabs: 5)
        let path = folder.file("window-data/window-" + FirefoxIOSSample.window)
        for place in stride(from: 0, to: sound.count, by: TestRun.amount(11, nightly: 1)) {
            var damaged = sound
            damaged[place] ^= 0x20
            try folder.write(damaged, to: "window-data/window-" + FirefoxIOSSample.window)
            let reading = try FirefoxIOSReader(
                path: path, limits: ImportLimits()
            ).read()
            let tabs = reading.drafts.flatMap(\.tabs)
            let urls = (0..<5).map { "https://example.org/\($0)" }
            expect(tabs.count { urls.contains($0.metadata.url) } >= 4, "byte \(place)")
        }
    }

    @Test("Noise after damage is left after a bounded search")
    func noise() throws {
        let start = Array(#"{"windows":[{"tabs":[{"entries":[!"#.utf8)
        let pieces = [
            #"{"a":[{"b":{"c":["#, #"{"entries":[{"url":"x"}"#, "[[[{{{\"", #","tabs":[{"#,
        ]
        var bytesTried = 0
        for piece in pieces {
            let noise = Array(
                String(repeating: piece, count: TestRun.amount(1_000, nightly: 20_000)).utf8)
            let text = start + noise
            let reading = try read(text)
            expect(reading.log.hasLoss)
            for isSuspicious in [false, true] {
                var parser = JSONParser(text, shapes: .firefoxDesktop, maximum: .max)
                parser.isSuspicious = isSuspicious
                _ = parser.text()
                expect(parser.bytesTried <= 17 * text.count + 4096)
                bytesTried = max(bytesTried, parser.bytesTried / text.count)
            }
        }
        expect(bytesTried >= 16)
    }
}
