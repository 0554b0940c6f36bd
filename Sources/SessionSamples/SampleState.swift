public import BrowserSessions

/// The state blobs of sample tabs.
public enum SampleState: Hashable, Sendable {
    /// No state.
    case none
    /// An encoded history in the tab's `navigation` state.
    case navigationOnly
    /// The history, and opaque bytes in `native`. Most sizes are near the geometric middle of the
    /// range and few are at its ends, as with real pages.
    case blobs(ClosedRange<Int>)

    /// Returns the blobs of a tab, always the same for the same metadata.
    public func blobs(of tab: TabMetadata) -> [StateName: [UInt8]] {
        switch self {
        case .none: return [:]
        case .navigationOnly: return [.navigation: Self.history(of: tab).encoded()]
        case .blobs(let sizes):
            var generator = Self.generator(of: tab)
            let size = generator.size(in: sizes)
            return [
                .navigation: Self.history(of: tab).encoded(),
                .native: Self.blob(bytes: size, using: &generator),
            ]
        }
    }

    /// Returns a history with as many entries as the metadata says. The last one is the tab's page.
    public static func history(of tab: TabMetadata) -> NavigationHistory {
        var generator = generator(of: tab)
        let count = Int(max(0, tab.navigationItemCount))
        var time = tab.lastActiveAt.microseconds &- Int64(count) &* 60_000_000
        var history = NavigationHistory(currentIndex: count == 0 ? nil : count - 1)
        for index in 0..<count {
            let isLast = index == count - 1
            var entry = NavigationEntry(
                url: isLast ? tab.url : SampleText.url(&generator),
                title: isLast ? tab.title : SampleText.title(&generator),
                time: isLast ? tab.lastActiveAt : Timestamp(microseconds: time),
                referrer: history.entries.last?.url ?? "")
            if generator.chance(1, in: 3) {
                entry.pageState = blob(bytes: generator.integer(in: 40...400), using: &generator)
            }
            // Rare parts are decided independently, so they do not change anything else.
            if index == 0, tab.id.high % 8 == 0 { entry.addRareParts() }
            history.entries.append(entry)
            time &+= 60_000_000
        }
        return history
    }

    /// Returns bytes that compress to about two thirds, like serialized pages.
    public static func blob(bytes count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        let common = [generator.next(), generator.next(), 0]
        let words = (count + 7) / 8
        return [UInt8](unsafeUninitializedCapacity: words * 8) { buffer, initialized in
            buffer.withMemoryRebound(to: UInt64.self) { buffer in
                guard let start = buffer.baseAddress else { return }
                var index = 0
                while index < words {
                    let random = generator.next()
                    let word = random & 3 == 0 ? common[Int((random >> 8) % 3)] : random
                    start[index] = word.littleEndian
                    index += 1
                }
            }
            initialized = count
        }
    }

    private static func generator(of tab: TabMetadata) -> SeededGenerator {
        let url = tab.url.utf8.reduce(UInt64(1)) { $0 &* 31 &+ UInt64($1) }
        return SeededGenerator(seed: tab.id.low ^ url)
    }
}

extension NavigationEntry {
    /// Adds what only few pages have: frames, headers, a user agent and an address to show.
    fileprivate mutating func addRareParts() {
        displayURL = "about:reader?url=\(url)"
        referrerPolicy = 2
        userAgent = .desktop
        requestHeaders = [HTTPHeader(name: "Accept-Language", value: "en")]
        subframes = [NavigationEntry(url: "https://frames.example/", title: "A frame")]
        properties = ["source": "sample"]
    }
}

extension SeededGenerator {
    /// Returns a size with a logarithm that is the mean of three equally likely ones. It is a whole
    /// number of doublings with straight lines between them, so it is exact on every platform.
    mutating func size(in range: ClosedRange<Int>) -> Int {
        let unit = 1 << 16
        let smallest = max(1, range.lowerBound)
        var doublings = 0
        while smallest << (doublings + 1) <= range.upperBound { doublings += 1 }
        let rest = ((range.upperBound << 16) >> doublings) / smallest - unit
        let span = doublings * unit + max(0, rest)
        let exponent = (0..<3).reduce(0) { sum, _ in sum + integer(in: 0...span) } / 3
        let size = ((smallest << (exponent / unit)) * (unit + exponent % unit)) >> 16
        return min(max(size, range.lowerBound), range.upperBound)
    }
}
