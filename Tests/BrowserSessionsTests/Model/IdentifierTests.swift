import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

struct IdentifierTests {
    @Test func textIsAnUpperCaseUUID() throws {
        let id = TabID(high: 0x6B29_FC40_CA47_1067, low: 0xB31D_00DD_0106_62DA)
        expect(id.description, is: "6B29FC40-CA47-1067-B31D-00DD010662DA")
        expect(TabID("6b29fc40-ca47-1067-b31d-00dd010662da"), is: id)
        expect(TabID(high: 0, low: 0).description, is: "00000000-0000-0000-0000-000000000000")
        expect(TabID("FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF"), is: TabID(high: .max, low: .max))
    }

    @Test func textAndBytesComeBack() {
        var generator = SeededGenerator(seed: 81)
        for _ in 0..<1000 {
            let id = WindowID(high: generator.next(), low: generator.next())
            expect(WindowID(id.description), is: id)
            expect(WindowID(bytes: id.bytes), is: id)
            expect(id.bytes.withUnsafeBytes { WindowID($0) }, is: id)
        }
    }

    @Test(
        "Text of another form is none",
        arguments: [
            "", "-", "6B29FC40CA471067B31D00DD010662DA", "6B29FC40-CA47-1067-B31D-00DD010662D",
            "6B29FC40-CA47-1067-B31D-00DD010662DAA", "6B29FC40-CA47-1067-B31D-00DD010662DA-",
            "6B29FC4-0CA47-1067-B31D-00DD010662DA", "6B29FC40_CA47_1067_B31D_00DD010662DA",
            "6B29FC40-CA47-1067-B31D-00DD010662DG", " 6B29FC40-CA47-1067-B31D-00DD010662DA",
            "{6B29FC40-CA47-1067-B31D-00DD010662DA}", "6B29FC40-CA47-1067-B31D-00DD01066２DA",
            "6B29FC40-CA47-1067-B31D-00DD010662D\0", "------------------------------------",
        ])
    func illegalText(text: String) {
        expect(TabID(text) == nil)
    }

    @Test func otherNumbersOfBytesAreNone() {
        for count in Array(0..<16) + [17, 32] {
            let bytes = [UInt8](repeating: 7, count: count)
            expect(TabID(bytes: bytes) == nil)
            expect(bytes.withUnsafeBytes { TabID($0) } == nil)
        }
    }

    @Test func randomOnesAreVersion4UUIDs() {
        var generator = SeededGenerator(seed: 82)
        var (ones, zeros) = ((UInt64.max, UInt64.max), (UInt64.max, UInt64.max))
        for _ in 0..<500 {
            for id in [CommitID.random(using: &generator), .random()] {
                let text = Array(id.description)
                expect(text[14], is: "4")
                expect("89AB".contains(text[19]))
                ones = (ones.0 & id.high, ones.1 & id.low)
                zeros = (zeros.0 & ~id.high, zeros.1 & ~id.low)
            }
        }
        // Every other bit is sometimes set and sometimes not.
        expect(ones == (0x4000, 1 << 63))
        expect(zeros == (0xB000, 1 << 62))
    }

    @Test func theOrderIsThatOfTheBytes() {
        var generator = SeededGenerator(seed: 83)
        let edges: [UInt64] = [0, 1, 0xFF, 0x100, 1 << 63, .max]
        for _ in 0..<2000 {
            let left = TabID(high: generator.pick(edges), low: generator.pick(edges))
            let right = TabID(high: generator.pick(edges), low: generator.pick(edges))
            expect((left < right), is: left.bytes.lexicographicallyPrecedes(right.bytes))
        }
    }
}
