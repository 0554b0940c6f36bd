import BrowserSessions
import CommandLineSupport
import Expectations
import Foundation

/// Times and sizes as people say them.
struct TimeWordsTests {
    private func time(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: seconds * 1_000_000)
    }

    /// Wednesday, 2026-11-25 01:30 in Berlin, which is the day before in UTC.
    private let now = Timestamp(microseconds: 1_795_566_600_000_000)
    private var berlin: TimeWords {
        TimeWords(now: now, zone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    }

    @Test func wordsAreThoseOfTheDay() {
        let hour: Int64 = 3600
        let ago: [Int64] = [0, 1, 2, 26, 50, 144, 168, 4800, 9600, -30]
        let words = ago.map { berlin.words(now.advanced(by: .seconds(-hour * $0))) }
        expect(
            words,
            is: [
                "today 01:30", "today 00:30", "yesterday 23:30", "Monday 23:30", "Sunday 23:30",
                "Thursday 01:30", "18 Nov 01:30", "9 May 02:30", "21 Oct 2025", "26 Nov 07:30",
            ])
        expect(TimeWords(now: now, zone: .gmt).words(now), is: "today 00:30")
        expect(berlin.words(.unknown), is: "")
    }

    @Test func isoIsExactForEveryTime() {
        let times: [(Int64, String)] = [
            (1, "1970-01-01T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
            (253_402_300_800_000_000, "+10000-01-01T00:00:00.000000Z"),
            (.max, "+294247-01-10T04:00:54.775807Z"), (.min, "-290308-12-21T19:59:05.224192Z"),
        ]
        for (microseconds, text) in times {
            expect(Timestamp(microseconds: microseconds).iso, is: text)
        }
        expect(Timestamp.unknown.iso == nil)
        expect(berlin.words(Timestamp(microseconds: .max)), is: "+294247-01-10T04:00:54.775807Z")
        let formatter = ISO8601DateFormatter()
        for day in stride(from: Int64(-700_000), to: 2_900_000, by: 4999) {
            let date = formatter.string(from: Date(timeIntervalSince1970: Double(day * 86_400)))
            let ours = Timestamp(microseconds: day * 86_400_000_000).iso ?? ""
            if day >= -141_427, day != 0 { expect(ours.prefix(10), is: date.prefix(10), "\(day)") }
        }
    }

    @Test func sizesHaveTheirUnit() {
        let sizes: [(Int, String)] = [
            (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1.0 KiB"),
            (10 * 1024, "10 KiB"), (1024 * 1024 - 1, "1.0 MiB"), (5 << 30, "5.0 GiB"),
            (.max, "8192 PiB"),
        ]
        for (bytes, text) in sizes { expect(ByteWords.words(bytes), is: text) }
    }

    @Test func colorsAreForTerminalsThatWantThem() {
        func isColored(_ choice: ColorChoice, _ terminal: Bool, _ environment: [String: String])
            -> Bool
        { choice.isColored(isTerminal: terminal, environment: environment) }
        expect(isColored(.auto, true, ["TERM": "xterm"]))
        expect(isColored(.auto, true, ["NO_COLOR": ""]))
        expect(!isColored(.auto, true, ["NO_COLOR": "1"]))
        expect(!isColored(.auto, true, ["TERM": "dumb"]))
        expect(!isColored(.auto, false, [:]))
        expect(isColored(.always, false, ["NO_COLOR": "1"]))
        expect(!isColored(.never, true, [:]))
        let line = StyledLine("a\u{1B}[2J", .bold)
        expect(line.rendered(isColored: false), is: "a\\u{1B}[2J")
        expect(line.rendered(isColored: true), is: "\u{1B}[1ma\\u{1B}[2J\u{1B}[0m")
    }
}
