import Expectations

@testable import SessionInterop

@Suite("Binary property lists")
struct BinaryPropertyListTests {
    /// A list with values given as bytes. Numbers take one byte.
    private func bytes(
        _ values: [[UInt8]], count: UInt64? = nil, top: UInt64 = 0, offsetSize: Int = 1
    ) -> [UInt8] {
        var bytes = BinaryPropertyList.magic
        var offsets: [UInt8] = []
        for value in values {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)].suffix(offsetSize)
            bytes += value
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), 1]
        for number in [count ?? UInt64(values.count), top, UInt64(table)] {
            bytes += withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
        }
        return bytes
    }

    private func read(_ value: [UInt8]) throws -> String {
        var list = try require(BinaryPropertyList(bytes([value]), ImportLimits()))
        return list.value(0).map { "\($0)" } ?? "nothing"
    }

    @Test("Every kind of value is read")
    func kinds() throws {
        let expected: [([UInt8], String)] = [
            ([0x00], "null"), ([0x08], "bool(false)"), ([0x09], "bool(true)"),
            ([0x10, 0xFF], "integer(255)"), ([0x11, 0xFF, 0xFE], "integer(65534)"),
            ([0x12, 0xFF, 0, 0, 0], "integer(4278190080)"),
            ([0x13] + Array(repeating: 0xFF, count: 8), "integer(-1)"),
            ([0x14] + Array(repeating: 0, count: 15) + [7], "integer(7)"),
            ([0x14] + Array(repeating: 0xFF, count: 16), "integer(-1)"),
            ([0x22, 0x3F, 0xC0, 0, 0], "number(1.5)"),
            ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], "number(1.5)"),
            ([0x33, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], "number(1.5)"),
            ([0x42, 1, 2], "bytes(ArraySlice([1, 2]))"), ([0x52, 0x61, 0x62], "text(\"ab\")"),
            ([0x61, 0x04, 0x16], "text(\"Ж\")"), ([0x5F, 0x10, 1, 0x61], "text(\"a\")"),
            ([0x80, 9], "position(9)"), ([0x82, 0, 1, 0], "position(256)"),
            ([0x88] + Array(repeating: 0, count: 8) + [9], "position(9)"),
            ([0xA2, 0, 0], "array([0, 0])"), ([0xC1, 0], "array([0])"),
            ([0xD0], "dictionary([:])"),
        ]
        for (value, text) in expected { expect(try read(value) == text, "\(text)") }
    }

    @Test("Values that go beyond the end, have no kind or do not fit are none")
    func unreadable() throws {
        let values: [[UInt8]] = [
            [0x01], [0x0A], [0x15], [0x13, 1], [0x14] + Array(repeating: 1, count: 16),
            [0x21, 0, 0], [0x44, 1], [0x5F], [0x5F, 0x61], [0x62, 0, 0x61], [0x7F], [0x87, 0],
            [0x88] + Array(repeating: 0xFF, count: 9), [0x88, 1] + Array(repeating: 0, count: 8),
            [0xA3, 0], [0xD2, 0, 0, 0], [0xE0], [0xF0],
        ]
        for value in values { expect(try read(value) == "nothing", "\(value)") }
    }

    @Test("Counts that are negative or greater than the file are none")
    func counts() throws {
        for kind in [0x40, 0x50, 0x60, 0xA0, 0xD0] as [UInt8] {
            let negative = [kind | 0x0F, 0x13] + Array(repeating: UInt8(0xFF), count: 8)
            expect(try read(negative) == "nothing")
            let huge = [kind | 0x0F, 0x13, 0x7F] + Array(repeating: UInt8(0xFF), count: 7)
            expect(try read(huge) == "nothing")
            expect(try read([kind | 0x0F, 0x10, 200]) == "nothing")
        }
    }

    @Test("A table that is said to be greater than the file makes it unreadable")
    func sizes() throws {
        let limits = ImportLimits()
        expect(BinaryPropertyList(bytes([[0x08]], count: 1 << 40, top: 1 << 39), limits) == nil)
        expect(BinaryPropertyList(bytes([[0x08]], count: 34, top: 33), limits) == nil)
        expect(BinaryPropertyList(bytes([[0x08]], count: .max, top: 1 << 39), limits) == nil)
        expect(BinaryPropertyList(bytes([[0x08]], top: 1), limits) == nil)
        expect(BinaryPropertyList(bytes([], count: 0), limits) == nil)
        for (place, value) in [(26, UInt8(0)), (26, 9), (25, 0), (25, 9), (1, 0xFF), (8, 0xFF)] {
            var damaged = bytes([[0x08]])
            damaged[damaged.count - place] = value
            expect(BinaryPropertyList(damaged, limits) == nil, "\(place)")
        }
        var list = try require(BinaryPropertyList(bytes([[0x08]]), limits))
        expect(list.value(1) == nil && list.value(-1) == nil && list.value(.max) == nil)
    }

    @Test("Names that are no texts are counted, and the other values are there")
    func names() throws {
        let values: [[UInt8]] = [
            [0xD4, 1, 2, 3, 2, 4, 4, 4, 4], [0x51, 0x61], [0x51, 0x62], [0x41, 0x63], [0x09],
        ]
        var list = try require(BinaryPropertyList(bytes(values), ImportLimits()))
        guard case .dictionary(let members) = list.value(0) else {
            recordIssue("no dictionary")
            return
        }
        expect(members, is: ["a": 4, "b": 4])
        expect(list.unreadableNames, is: 2)
    }

    @Test("A list of values that share others gives no more than 64 times its bytes")
    func sharing() throws {
        let text = [UInt8(0x5F), 0x11, 0x03, 0xE8] + Array(repeating: UInt8(0x61), count: 1_000)
        let file = bytes([[0xA1, 1], text], offsetSize: 2)
        var list = try require(BinaryPropertyList(file, ImportLimits()))
        var reads = 0
        while list.value(1) != nil { reads += 1 }
        expect(list.isExhausted)
        expect(reads, is: 64 * file.count / 1_000)
    }

    @Test("All calls together read no more than the limit")
    func limits() throws {
        var limits = ImportLimits()
        limits.maximumParts = 5
        var list = try require(BinaryPropertyList(bytes([[0xA3, 1, 1, 1], [0x08]]), limits))
        expect(list.value(0) != nil && list.value(1) != nil)
        expect(list.value(1) == nil && list.isExhausted)
        limits.maximumParts = 100
        limits.maximumFileBytes = 5
        var texts = try require(BinaryPropertyList(bytes([[0x53, 0x61, 0x62, 0x63]]), limits))
        expect(texts.value(0) != nil && texts.value(0) == nil && texts.isExhausted)
    }
}
