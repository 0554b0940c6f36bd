import BrowserSessions
import Expectations
import SessionSamples

/// The samples are as large as what real browsers store.
struct DistributionTests {
    static let tabs: [TabMetadata] = {
        var sampler = SessionSampler(seed: 11)
        return sampler.window(tabs: 10_000).tabs.map(\.metadata)
    }()

    func quantiles(_ values: [Int]) -> (p10: Int, p50: Int, p99: Int, most: Int) {
        let sorted = values.sorted()
        func at(_ share: Int) -> Int { sorted[min(sorted.count * share / 100, sorted.count - 1)] }
        return (at(10), at(50), at(99), at(100))
    }

    @Test func addresses() {
        let bytes = quantiles(Self.tabs.map(\.url.utf8.count))
        expect((70...95).contains(bytes.p50), "\(bytes)")
        expect((20...50).contains(bytes.p10), "\(bytes)")
        expect((600...1900).contains(bytes.p99), "\(bytes)")
        expect((1500...2000).contains(bytes.most), "\(bytes)")
        expect(Self.tabs.allSatisfy { $0.url.utf8.allSatisfy { (33...126).contains($0) } })
    }

    @Test func titles() {
        let titles = Self.tabs.map(\.title)
        let bytes = quantiles(titles.map(\.utf8.count))
        expect((38...55).contains(bytes.p50), "\(bytes)")
        expect((300...900).contains(bytes.most), "\(bytes)")
        expect((100...1000).contains(titles.count(where: \.isEmpty)))
        let scalars = Set(titles.joined().unicodeScalars)
        for sign: Unicode.Scalar in ["ß", "в", "天", "の", "خ", "ש", "स", "🚀", "\u{200D}"] {
            expect(scalars.contains(sign), "\(sign)")
        }
    }

    @Test func otherFields() {
        let entries = quantiles(Self.tabs.map { Int($0.navigationItemCount) })
        expect((2...6).contains(entries.p50), "\(entries)")
        expect((15...50).contains(entries.p99), "\(entries)")
        func share(_ isCounted: (TabMetadata) -> Bool) -> Int {
            Self.tabs.count(where: isCounted) * 100 / Self.tabs.count
        }
        expect((60...80).contains(share { !$0.faviconURL.isEmpty }))
        expect((25...40).contains(share { $0.opener != nil }))
        expect((3...12).contains(share { !$0.properties.isEmpty }))
        expect((15...60).contains(share { $0.group != nil }))
    }

    @Test func histories() throws {
        for tab in Self.tabs.prefix(300) {
            let history = SampleState.history(of: tab)
            expect(history.entries.count, is: Int(tab.navigationItemCount))
            expect(history.currentIndex, is: history.entries.count - 1)
            expect(history.entries.last?.url, is: tab.url)
            expect(history.entries.map(\.time), is: history.entries.map(\.time).sorted())
            expect(try NavigationHistory(encoded: history.encoded()) == history)
        }
    }

    @Test func blobSizes() throws {
        let sizes = Self.tabs.prefix(600).compactMap {
            SampleState.blobs(1024...204_800).blobs(of: $0)[.native]?.count
        }
        let bytes = quantiles(sizes)
        expect(sizes.count, is: 600)
        expect(sizes.allSatisfy { (1024...204_800).contains($0) })
        expect((10_000...21_000).contains(bytes.p50), "\(bytes)")
        expect(bytes.p10 < 6000 && bytes.p99 > 60_000, "\(bytes)")
        let exact = Self.tabs.prefix(20).map { SampleState.blobs(10_240...10_240).blobs(of: $0) }
        expect(exact.allSatisfy { $0[.native]?.count == 10_240 })
    }
}
