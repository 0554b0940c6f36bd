import Expectations

@testable import StorageBenchmark

@Suite("Numbers for people")
struct FiguresTests {
    @Test(arguments: [
        (0.0, "0.00 µs"), (0.954, "0.95 µs"), (1.523, "1.52 µs"), (15.23, "15.2 µs"),
        (9.999, "10.0 µs"), (152.4, "152 µs"), (999.4, "999 µs"), (999.6, "1.00 ms"),
        (1523, "1.52 ms"), (46_300, "46.3 ms"), (999_600, "1.00 s"), (2_100_000, "2.10 s"),
        (.infinity, "–"), (.nan, "–"),
    ])
    func times(microseconds: Double, text: String) {
        expect(Figures.time(microseconds), is: text)
    }

    @Test func bothEndsOfAnIntervalHaveOneUnit() {
        expect(Figures.times(148.2...156.1), is: "148–156 µs")
        expect(Figures.times(950...1050), is: "0.95–1.05 ms")
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (10_433, "10.4 kB"),
        (999_499, "999 kB"), (999_500, "1.00 MB"), (2_830_000, "2.83 MB"),
        (3_000_000_000, "3.00 GB"),
    ])
    func bytes(count: Int, text: String) {
        expect(Figures.bytes(count), is: text)
    }

    @Test func chosenSizesAreExact() {
        expect(Figures.chosenBytes(10_240), is: "10 KiB")
        expect(Figures.chosenBytes(100_000), is: "100 kB")
        expect(Figures.chosenBytes(1234), is: "1,234 B")
        expect(Figures.chosenBytes(0), is: "0 B")
    }

    @Test func ratiosSyncsAndChanges() {
        expect(Figures.ratio(1.016), is: "1.02")
        expect(Figures.ratio(289.6), is: "290")
        expect(Figures.ratio(1234), is: "1,234")
        expect(Figures.ratio(0.004), is: "< 0.1")
        expect(Figures.syncs(1), is: "1")
        expect(Figures.syncs(1.02), is: "1.02")
        expect(Figures.change(0.123), is: "+12 %")
        expect(Figures.change(-0.031), is: "−3.1 %")
        expect(Figures.change(0), is: "+0.0 %")
        expect(Figures.whole(-1_234_567), is: "-1,234,567")
        expect(Figures.whole(100), is: "100")
    }
}
