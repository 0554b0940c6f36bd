import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

struct OrderKeyTests {
    @Test(
        "Bytes that obey the rules are a key, and come back",
        arguments: [
            [2], [255], [1, 2], [255, 255], Array(repeating: 1, count: 7) + [2],
            Array(repeating: 1, count: 8) + [2], [9] + Array(repeating: 255, count: 8),
            Array(repeating: 3, count: OrderKey.maximumLength), Array(repeating: 3, count: 1000),
        ] as [[UInt8]])
    func legal(bytes: [UInt8]) throws {
        let key = try require(OrderKey(bytes: bytes))
        expect(key.bytes, is: bytes)
        expect(key.length, is: bytes.count)
        expect(key.description.count, is: bytes.count * 2)
        var appended: [UInt8] = []
        key.append(to: &appended)
        expect(appended, is: bytes)
    }

    @Test(
        "Others are none",
        arguments: [
            [], [0], [1], [2, 0], [0, 2], [2, 1], [2, 0, 2], Array(repeating: 1, count: 20),
            Array(repeating: 2, count: 8) + [0], Array(repeating: 2, count: 8) + [1],
        ] as [[UInt8]])
    func illegal(bytes: [UInt8]) {
        expect(OrderKey(bytes: bytes) == nil)
    }

    @Test func descriptionIsHexadecimal() {
        expect(OrderKey(bytes: [1, 0x0A, 0xFF])?.description, is: "010aff")
    }

    @Test("The order is that of the bytes, also where the first eight are equal")
    func order() {
        var generator = SeededGenerator(seed: 91)
        let keys = (0..<400).compactMap { _ -> OrderKey? in
            let count = generator.integer(in: 0...11)
            let stem = (0..<count).map { _ in UInt8(generator.pick([1, 1, 1, 2, 255])) }
            return OrderKey(bytes: stem + [UInt8(generator.pick([2, 255]))])
        }
        for left in keys {
            for right in keys.prefix(100) {
                expect((left < right), is: left.bytes.lexicographicallyPrecedes(right.bytes))
                expect((left == right), is: (left.bytes == right.bytes))
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 254, 255, 256, 10_000, 100_000])
    func evenlySpacedKeysAscend(count: Int) {
        let keys = OrderKey.evenlySpaced(count: count)
        expect(keys.count, is: count)
        expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        expect(keys.allSatisfy { OrderKey(bytes: $0.bytes) == $0 && $0.length <= 6 })
    }

    @Test func noKeysForFewerThanNone() {
        expect(OrderKey.evenlySpaced(count: -1).isEmpty)
    }

    /// Neighbours at the edges of what keys can be.
    static let edges: [OrderKey] = [
        [2], [1, 2], [1, 1, 2], [1, 1, 1, 1, 1, 2], [1, 1, 1, 1, 1, 1, 1, 2], [3], [2, 2], [254],
        [255], [255, 2], [255, 255], [255, 255, 255, 255, 255, 255], [2, 1, 2], [2, 1, 1, 1, 2],
        Array(repeating: 255, count: 9), Array(repeating: 1, count: 8) + [2],
        Array(repeating: 1, count: 8) + [3], Array(repeating: 7, count: 8),
        Array(repeating: 7, count: 8) + [2], Array(repeating: 7, count: 7) + [8],
    ].compactMap { OrderKey(bytes: $0) }

    @Test("There is a key before, between, after and without neighbours")
    func between() {
        expect(Self.edges.count, is: 20)
        func check(_ lower: OrderKey?, _ upper: OrderKey?) {
            let key = OrderKey.between(lower, and: upper)
            expect(OrderKey(bytes: key.bytes), is: key, "not legal")
            if let lower { expect(lower < key) }
            if let upper, lower.map({ $0 < upper }) ?? true { expect(key < upper) }
        }
        check(nil, nil)
        for lower in Self.edges {
            check(lower, nil)
            check(nil, lower)
            for upper in Self.edges { check(lower, upper) }
        }
    }

    @Test("A key between a key and itself, or one below, is above the first")
    func betweenEqualOrReversedKeys() {
        for (index, lower) in Self.edges.enumerated() {
            for upper in Self.edges[index...] where upper <= lower {
                expect(OrderKey.between(lower, and: upper) > lower)
            }
        }
    }
}
