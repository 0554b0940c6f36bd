import Expectations
import SessionSamples

@testable import BrowserSessions

/// How long keys get with what people do to their tabs.
struct OrderKeyGrowthTests {
    @Test("10,000 tabs opened at the end, or at the beginning, keep short keys")
    func appending() {
        for atEnd in [true, false] {
            var last: OrderKey?
            for _ in 0..<10_000 {
                let key = OrderKey.between(atEnd ? last : nil, and: atEnd ? nil : last)
                if let last { expect(atEnd ? last < key : key < last) }
                expect(key.length <= 6)
                last = key
            }
        }
    }

    @Test("1,000 insertions at one spot cost about a bit each", arguments: [true, false])
    func oneSpot(afterTheLower: Bool) {
        let pair = OrderKey.evenlySpaced(count: 2)
        var (lower, upper) = (pair[0], pair[1])
        for count in 1...1000 {
            let key = OrderKey.between(lower, and: upper)
            expect(lower < key && key < upper)
            if afterTheLower { upper = key } else { lower = key }
            expect(key.length <= 6 + count / 7)
        }
    }

    @Test("A list with random insertions, moves and removals keeps its order")
    func model() {
        var generator = SeededGenerator(seed: 101)
        var tabs: [(id: Int, key: OrderKey)] = []
        func place(at index: Int) -> OrderKey {
            .between(
                index > 0 ? tabs[index - 1].key : nil,
                and: index < tabs.count ? tabs[index].key : nil)
        }
        for step in 0..<5000 {
            var id = step
            if !tabs.isEmpty, generator.chance(1, in: 3) {
                id = tabs.remove(at: generator.integer(in: 0...tabs.count - 1)).id
                if generator.chance(1, in: 3) { continue }
            }
            let index = generator.integer(in: 0...tabs.count)
            tabs.insert((id, place(at: index)), at: index)
            if step % 100 == 0 {
                let byKey = tabs.shuffled(using: &generator).sorted { $0.key < $1.key }
                expect(byKey.map(\.id), is: tabs.map(\.id))
            }
        }
        expect(tabs.count > 1000)
        expect(Set(tabs.map(\.key)).count, is: tabs.count)
        expect(tabs.allSatisfy { $0.key.length <= 10 && OrderKey(bytes: $0.key.bytes) == $0.key })
    }
}
