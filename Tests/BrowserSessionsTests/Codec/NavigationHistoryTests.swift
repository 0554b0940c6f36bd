import Expectations

@testable import BrowserSessions

struct NavigationHistoryTests {
    /// An entry with `depth` frames inside each other, built from the inside.
    func nested(_ depth: Int) -> [UInt8] {
        var inner: [UInt8] = []
        for level in (0..<depth + 1) {
            var writer = WireWriter()
            writer.message(level == depth ? 1 : 10) { $0.bytes += inner }
            inner = writer.bytes
        }
        return inner
    }

    @Test("Frames may be nested to the limit, and no deeper")
    func frameDepth() throws {
        let limit = NavigationHistory.maximumFrameDepth
        var history = try NavigationHistory(encoded: nested(limit))
        expect(history.encoded(), is: nested(limit))
        var depth = 0
        while let inner = history.entries.first?.subframes {
            history.entries = inner
            depth += 1
        }
        expect(depth, is: limit + 1)
        for depth in [limit + 1, 5000] {
            expect(throws: StorageError.self) { try NavigationHistory(encoded: nested(depth)) }
        }
    }

    @Test("Frames that are nested too deep are left out, and the rest can be read")
    func deeperFramesAreLeftOut() throws {
        let limit = NavigationHistory.maximumFrameDepth
        var entry = NavigationEntry(url: "innermost")
        for level in 0...limit { entry = NavigationEntry(url: "\(level)", subframes: [entry]) }
        var read = try NavigationHistory(
            encoded: NavigationHistory(entries: [entry], currentIndex: 0).encoded()
        ).entries
        var urls: [String] = []
        while let first = read.first {
            urls.append(first.url)
            read = first.subframes
        }
        expect(urls, is: (0...limit).reversed().map(String.init))
    }

    @Test("Bytes of another format are corrupted, and the error says nothing of them")
    func otherFormat() throws {
        let error = expect(throws: StorageError.self) {
            try NavigationHistory(encoded: [UInt8]("https://canary.example".utf8))
        }
        expect(error?.code, is: .corrupted)
        expect(error.map { "\($0) \($0.underlying as Any)" }?.contains("canary"), is: false)
    }

    @Test(
        "A current index out of range becomes the nearest entry",
        arguments: [
            (0, 0), (2, 2), (3, 2), (Int(Int32.max) - 1, 2), (Int(Int32.max), 2), (.max, 2),
        ])
    func currentIndex(given: Int, read: Int) throws {
        let entries = ["a", "b", "c"].map { NavigationEntry(url: $0) }
        let history = NavigationHistory(entries: entries, currentIndex: given)
        expect(try NavigationHistory(encoded: history.encoded()).currentIndex == read)
    }

    @Test("Without entries there is no current one")
    func noEntries() throws {
        let history = NavigationHistory(entries: [], currentIndex: 4)
        expect(try NavigationHistory(encoded: history.encoded()).currentIndex == nil)
    }

    @Test("A zero that was written out means none, as one left out does")
    func explicitZero() throws {
        let entry = NavigationHistory(entries: [NavigationEntry(url: "a")]).encoded()
        expect(try NavigationHistory(encoded: entry).currentIndex == nil)
        expect(try NavigationHistory(encoded: entry + [0x10, 0x00]).currentIndex == nil)
    }
}
