import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

@testable import SessionInterop

/// Damaged, unfinished and misnamed session logs, and those of 32-bit programs.
@Suite("Chromium session logs, damaged and odd")
struct SNSSDamageTests {
    private func read(_ bytes: [UInt8], _ name: String = "Session_1") throws -> SourceReading {
        try ChromiumFormat.read(bytes, name: name, limits: ImportLimits())
    }

    private func urls(_ reading: SourceReading) -> [String] {
        reading.drafts.flatMap(\.tabs).map(\.metadata.url)
    }

    @Test("A size that is wrong costs its record; the report says how many bytes were not read")
    func size() throws {
        let sound = SNSSSample.open(6)
        for size in [UInt8(0), 5, 0xFF] {
            var damaged = sound.bytes
            damaged[sound.ends[2]] = size
            damaged[sound.ends[2] + 1] = size == 0xFF ? 0xFF : 0
            let reading = try read(damaged)
            expect(urls(reading).count, is: 6, "\(size)")
            expect(reading.log.hasLoss)
            let problem = try require(reading.log.problems.first)
            expect(problem.location, is: "byte \(sound.ends[2])")
            expect(problem.message, is: "the log is damaged; not read: 11 bytes")
        }
    }

    @Test("No bit and no byte costs more than its own tab")
    func oneTab() throws {
        let sound = SNSSSample.open(5)
        let all = Set(urls(try read(sound.bytes)))
        expect(all.count, is: 5)
        for bit in stride(from: 64, to: sound.bytes.count * 8, by: TestRun.amount(3, nightly: 1)) {
            let found = Set(urls(try read(flipping(bit, of: sound.bytes))))
            expect(all.subtracting(found).count <= 1, "bit \(bit)")
        }
        for place in 8..<sound.bytes.count {
            var damaged = sound.bytes
            damaged[place] = ~damaged[place]
            expect(all.subtracting(urls(try read(damaged))).count <= 1, "byte \(place)")
        }
    }

    @Test("A stretch of noise costs the tabs that it hits")
    func noise() throws {
        let sound = SNSSSample.open(20)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<TestRun.amount(40, nightly: 400) {
            let start = Int.random(in: 8..<(sound.bytes.count - 60), using: &generator)
            let hit = start..<(start + Int.random(in: 1...60, using: &generator))
            var damaged = sound.bytes
            for index in hit { damaged[index] = UInt8.random(in: 0...255, using: &generator) }
            let lost = zip(sound.ends, sound.ends.dropFirst())
                .count { $0 < hit.upperBound && hit.lowerBound < $1 }
            expect(Set(urls(try read(damaged))).count >= 20 - lost, "\(hit)")
        }
    }

    @Test("A record that was not written to its end is a note, once the first state is whole")
    func unfinished() throws {
        var sound = SNSSSample.open(3).bytes
        let whole = sound.count
        var more = SNSSWriter()
        more.navigation(tab: 10, index: 1, url: "https://example.org/next", title: "Next")
        sound += more.bytes.dropFirst(8)
        for count in (whole + 1)..<sound.count {
            let reading = try read(Array(sound.prefix(count)))
            expect(urls(reading).count, is: 3)
            expect(!reading.log.hasLoss)
            let message =
                "the last record is not complete; not read: "
                + (count - whole == 1 ? "1 byte" : "\(count - whole) bytes")
            expect(reading.log.problems.map(\.message), is: [message])
        }
        let cut = try read(Array(sound.prefix(whole - 10)))
        expect(cut.log.hasLoss)
    }

    @Test("Structs of 32-bit programs are read, although their 64-bit numbers are not padded")
    func narrow() throws {
        var log = SNSSWriter()
        log.isNarrow = true
        for tab in Int32(11)...13 {
            log.numbers(0, 1, tab)
            log.numbers(2, tab, tab)
            log.navigation(tab: tab, index: 0, url: "https://example.org/\(tab)", title: "T")
        }
        log.numbers(9, 1, 0)
        log.numbers(9, 2, 0)
        log.group(12, high: 5, low: 6)
        log.time(21, 12, 13_346_873_882_166_178)
        log.time(16, 13, 13_346_873_882_166_178)
        log.numbers(0, 2, 14)
        log.navigation(tab: 14, index: 0, url: "https://example.org/14", title: "T")
        log.time(17, 2, 13_346_873_882_166_178)
        log.record(255, [])
        let reading = try read(log.bytes)
        expect(reading.log.problems.filter { $0.severity != .note }, is: [])
        let tabs = reading.drafts.flatMap(\.tabs)
        expect(tabs.map(\.metadata.url), is: ["https://example.org/11", "https://example.org/12"])
        expect(tabs.last?.metadata.group, is: NodeID(high: 5, low: 6))
        expect(tabs.last?.metadata.lastActiveAt.microseconds, is: 1_702_400_282_166_178)
        var closed = SNSSWriter()
        closed.isNarrow = true
        closed.window(31, selected: 0, tabs: 1, 13_346_873_882_166_178)
        closed.closedTab(32, selected: 0, 13_346_873_882_166_178)
        closed.navigation(1, tab: 32, index: 0, url: "https://example.org/32", title: "T")
        closed.record(255, [])
        let window = try require(try read(closed.bytes, "Tabs_1").drafts.first)
        expect(window.attributes.closedAt != nil && window.tabs.count == 1)
    }

    @Test("The content of a log says what kind it is, whatever its name says")
    func kinds() throws {
        for name in ["Session_1", "Tabs_1", "Last Session", "Current Tabs", "unnamed", "a.bin"] {
            let session = try read(SNSSSample.session(), name)
            expect(session.drafts.map(\.id.kind), is: [.regular, .regular], "\(name)")
            let tabs = try read(SNSSSample.tabs(), name)
            expect(tabs.drafts.map(\.isClosed), is: [true, true], "\(name)")
            expect(tabs.drafts.flatMap(\.tabs).count, is: 3, "\(name)")
            expect(!tabs.log.hasLoss)
        }
        let empty = SNSSWriter().bytes
        expect(try SNSSFile(empty, name: "Tabs_1", limits: ImportLimits()).kind == .tabs)
        expect(try SNSSFile(empty, name: "Session_1", limits: ImportLimits()).kind == .session)
    }

    @Test("Commands that a newer browser writes are passed over, also many in a row")
    func newer() throws {
        var log = SNSSWriter()
        for tab in Int32(1)...3 {
            log.numbers(0, 1, tab)
            for command in UInt8(90)...94 { log.record(command, [1, 2, 3, 4, 5]) }
            log.navigation(tab: tab, index: 0, url: "https://example.org/\(tab)", title: "T")
        }
        log.record(255, [])
        let reading = try read(log.bytes)
        expect(urls(reading).count, is: 3)
        expect(reading.counts.unknownRecords, is: 15)
        expect(!reading.log.hasLoss)
    }

    @Test("Logs that ask for much work are done in time, or left with a report")
    func work() throws {
        let count = Int32(TestRun.amount(20_000, nightly: 300_000))
        var tabs = SNSSWriter()
        for tab in 1...count { tabs.closedTab(tab, selected: 0, 13_346_873_882_166_178) }
        for tab in 1...count { tabs.numbers(2, tab) }
        tabs.record(255, [])
        expect(try read(tabs.bytes, "Tabs_1").drafts.isEmpty)
        var session = SNSSWriter()
        session.numbers(0, 1, 1)
        for entry in 0..<count / 20 {
            session.navigation(tab: 1, index: entry, url: "https://example.org/", title: "")
        }
        for _ in 0..<count { session.numbers(24, 1, count, 1) }
        session.record(255, [])
        let reading = try ChromiumFormat.read(
            session.bytes, name: "Session_1", limits: .with(\.maximumParts, Int(count) * 2))
        expect(reading.log.problems.contains { $0.message.contains("more changes of histories") })
    }

    @Test("What comes after a window that was opened again is no part of it")
    func reopened() throws {
        var log = SNSSWriter()
        log.window(31, selected: 0, tabs: 2, 13_346_873_882_166_178)
        for tab in Int32(32)...33 {
            if tab == 33 { log.numbers(2, 31) }
            log.closedTab(tab, selected: 0, 13_346_873_882_166_178)
            log.navigation(
                1, tab: tab, index: 0, url: "https://example.org/\(tab)", title: "T")
        }
        log.record(255, [])
        let reading = try read(log.bytes, "Tabs_1")
        expect(reading.drafts.map(\.attributes.closedAt), is: [nil])
        expect(urls(reading), is: ["https://example.org/33"])
        expect(!reading.log.hasLoss)
        var named = SNSSWriter()
        named.window(31, selected: 0, tabs: 2, 13_346_873_882_166_178)
        named.numbers(2, 31)
        named.pickle(12) {
            $0.int(31)
            $0.string("Title")
        }
        named.record(255, [])
        expect(try read(named.bytes, "Tabs_1").log.problems.map(\.severity) == [.loss])
    }

    @Test("A record of a size that its command never has changes nothing, and is reported")
    func sizes() throws {
        func log(_ odd: (inout SNSSWriter) -> Void) -> [UInt8] {
            var log = SNSSWriter()
            log.numbers(9, 1, 0)
            log.numbers(0, 1, 11)
            for entry in Int32(0)...3 {
                log.navigation(
                    tab: 11, index: entry, url: "https://example.org/\(entry)", title: "")
            }
            odd(&log)
            log.numbers(2, 11, 0)
            log.numbers(12, 11, 1)
            log.record(255, [])
            return log.bytes
        }
        let odd: [(inout SNSSWriter) -> Void] = [
            { $0.numbers(11, 11, 1, 9) }, { $0.numbers(5, 11, 1, 9) },
            { $0.numbers(24, 11, 0, 1, 9) }, { $0.numbers(17, 1, 0, 0, 0, 0) },
            { $0.numbers(10, 1, 2, 3, 4, 5) },
        ]
        for change in odd {
            let reading = try read(log(change))
            expect(reading.drafts.flatMap(\.tabs).map(\.history?.entries.count), is: [4])
            expect(reading.drafts[0].attributes.properties["chromium.bounds"] == nil)
            expect(
                reading.log.problems.map(\.message).allSatisfy { $0.contains("wrong form") }
                    && reading.log.problems.count == 1, "\(reading.log.problems)")
        }
    }

    @Test("The same of a log of what was closed")
    func sizesOfClosed() throws {
        let odd: [(inout SNSSWriter) -> Void] = [
            { $0.record(5, [1, 1]) }, { $0.record(5, []) }, { $0.numbers(3, 40, 0, 2, 0) },
        ]
        for change in odd {
            var log = SNSSWriter()
            log.closedTab(32, selected: 0, 13_346_873_882_166_178)
            for entry in Int32(0)...2 {
                if entry == 1 { change(&log) }
                log.navigation(
                    1, tab: 32, index: entry, url: "https://example.org/\(entry)", title: "T")
            }
            log.record(255, [])
            let reading = try read(log.bytes, "Tabs_1")
            expect(reading.drafts.flatMap(\.tabs).map(\.history?.entries.count), is: [3])
            expect(reading.drafts[0].tabs.map(\.metadata.isPinned), is: [false])
            expect(reading.log.problems.map(\.severity), is: [.loss])
        }
    }
}
