import Expectations
import SessionSamples

@testable import BrowserModel

struct OrderDifferenceTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func itsStepsMakeOneOrderOfTheOtherAndMoveAsFewAsPossible(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let tabs = (0..<9).map { Tab(title: "\($0)") }
        for _ in 0..<600 {
            let old = some(of: tabs, &random)
            let new = some(of: tabs, &random)
            let preferred = random.pick(tabs)
            let difference = OrderDifference(from: old, to: new, moving: preferred)
            expect(names(apply(difference, to: old, new)), is: names(new))
            let both = old.filter { tab in new.contains { $0 === tab } }
            let kept = both.map { tab in new.firstIndex { $0 === tab } ?? -1 }
            expect(difference.moved.count, is: kept.count - longestAscent(kept[...], above: -1))
        }
    }

    @Test func equalOrdersDoNotDiffer() {
        let tabs = (0..<3).map { Tab(title: "\($0)") }
        expect(OrderDifference(from: tabs, to: tabs).count, is: 0)
        expect(OrderDifference(from: [], to: []).count, is: 0)
    }

    @Test(arguments: 0..<3) func ofNeighboursThatSwappedThePreferredOneMoves(preferred: Int) {
        let tabs = (0..<3).map { Tab(title: "\($0)") }
        let new = [tabs[1], tabs[0], tabs[2]]
        let difference = OrderDifference(from: tabs, to: new, moving: tabs[preferred])
        expect(names(difference.moved.map(\.tab)), is: [preferred == 1 ? "1" : "0"])
    }

    @Test func aTabThatIsThereTwiceIsRemovedOnce() {
        let tabs = (0..<3).map { Tab(title: "\($0)") }
        let old = [tabs[0], tabs[1], tabs[0], tabs[2]]
        let difference = OrderDifference(from: old, to: tabs)
        expect(names(apply(difference, to: old, tabs)), is: names(tabs))
    }

    private func some(of tabs: [Tab], _ random: inout SeededGenerator) -> [Tab] {
        let all = random.chance(1, in: 2) ? tabs.shuffled(using: &random) : tabs
        return all.filter { _ in random.chance(3, in: 4) }
    }

    private func names(_ tabs: [Tab]) -> [String] { tabs.map(\.title) }

    private func apply(_ difference: OrderDifference, to old: [Tab], _ new: [Tab]) -> [Tab] {
        var tabs = old
        for index in difference.removed { tabs.remove(at: index) }
        for (tab, behind) in difference.moved {
            tabs.removeAll { $0 === tab }
            let before = behind.flatMap { tab in tabs.firstIndex { $0 === tab } }
            tabs.insert(tab, at: before.map { $0 + 1 } ?? 0)
        }
        for index in difference.inserted { tabs.insert(new[index], at: index) }
        return tabs
    }

    /// Found by trying every choice.
    private func longestAscent(_ numbers: ArraySlice<Int>, above least: Int) -> Int {
        guard let first = numbers.first else { return 0 }
        let without = longestAscent(numbers.dropFirst(), above: least)
        guard first > least else { return without }
        return max(without, 1 + longestAscent(numbers.dropFirst(), above: first))
    }
}
