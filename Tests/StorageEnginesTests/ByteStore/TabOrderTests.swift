import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// The order of tabs that come in the order of their identifiers.
struct TabOrderTests {
    enum Places: CaseIterable {
        case even, random, grownInOnePlace, oneApart, few, long, equal

        func places(_ generator: inout SeededGenerator) -> [OrderKey] {
            switch self {
            case .even: return OrderKey.evenlySpaced(count: 500)
            case .random:
                return (0..<500).compactMap { _ in
                    OrderKey(bytes: (0..<12).map { _ in UInt8(generator.integer(in: 2...255)) })
                }
            case .grownInOnePlace, .oneApart:
                var places = [OrderKey.between(nil, and: nil)]
                for _ in 1...200 { places.append(.between(places[places.count - 1], and: nil)) }
                if self == .oneApart { places.append(.between(nil, and: OrderKey(bytes: [2]))) }
                return places
            case .few: return OrderKey.evenlySpaced(count: 3)
            case .long:
                return (0..<100).compactMap { _ in
                    let length = generator.integer(in: 6...20)
                    return OrderKey(
                        bytes: Array(repeating: 200, count: length)
                            + [UInt8(generator.integer(in: 2...255))])
                }
            case .equal: return Array(repeating: .between(nil, and: nil), count: 300)
            }
        }
    }

    @Test(
        "Tabs are in the order of their places, and of their identifiers",
        arguments: Places.allCases)
    func sorted(_ kind: Places) {
        var generator = SeededGenerator(seed: 11)
        var places = kind.places(&generator)
        // Some places are there twice.
        places += places.filter { _ in generator.chance(1, in: 5) }
        for index in places.indices {
            places.swapAt(index, generator.integer(in: 0...places.count - 1))
        }
        let tabs = places.enumerated().map {
            TabMetadata(id: TabID(high: 1, low: UInt64($0)), place: $1)
        }
        var session = RestoredSession(
            id: SessionID(window: .random()), attributes: SessionAttributes(), tabs: tabs)
        session.sortTabs()
        expect(session.tabs, is: tabs.sorted { ($0.place, $0.id) < ($1.place, $1.id) })
    }
}
