import BrowserSessions

/// A property list in Apple's binary form, read one value at a time.
///
/// Containers refer to their members by number, so reading does not recurse, and values that contain
/// themselves cost no more than others. The total that all calls may read is limited, so that a
/// small file with shared values cannot cost more than a large one.
struct BinaryPropertyList {
    /// A value. Members of containers are numbers for ``value(_:)``.
    enum Value {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case bytes(ArraySlice<UInt8>)
        case text(String)
        /// The position of an object in a keyed archive.
        case position(Int)
        case array([Int])
        case dictionary([String: Int])
        /// An object of a keyed archive, of a class other than text, list, table and the like.
        case object(KeyedArchive.Object)
        /// A value of an archive that cannot be read.
        case unreadable
    }

    static let magic = Array("bplist00".utf8)
    private static let trailerSize = 32

    /// The number of the top-level value.
    let top: Int
    /// The number of unreadable names. Their values are missing from their dictionaries.
    private(set) var unreadableNames = 0
    /// Whether the limit was reached. If so, no more values can be read.
    private(set) var isExhausted = false

    private let bytes: [UInt8]
    private let count: Int
    private let offsetSize: Int
    private let numberSize: Int
    private let tableStart: Int
    private var partsLeft: Int
    private var bytesLeft: Int
    private var containers: [Int: Value] = [:]
    private var names: [Int: String] = [:]

    /// Creates a list; `nil` if the bytes are not one, or the sizes at the end cannot be true.
    init?(_ bytes: [UInt8], _ limits: ImportLimits) {
        guard bytes.starts(with: Self.magic),
            bytes.count >= Self.magic.count + Self.trailerSize
        else { return nil }
        let trailer = bytes.count - Self.trailerSize
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        numberSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(numberSize),
            let count = Self.size(bytes[(trailer + 8)..<(trailer + 16)]),
            let top = Self.size(bytes[(trailer + 16)..<(trailer + 24)]),
            let start = Self.size(bytes[(trailer + 24)..<(trailer + 32)]),
            start >= Self.magic.count, start <= trailer, top < count,
            count <= (trailer - start) / offsetSize
        else { return nil }
        (self.count, self.top, tableStart) = (count, top, start)
        bytesLeft = limits.maximumSize(unfolding: bytes.count)
        partsLeft = min(limits.maximumParts, bytesLeft)
    }

    /// Returns the value with a number; `nil` if it is absent, unreadable, or over the limit.
    mutating func value(_ number: Int) -> Value? {
        guard spend(parts: 1) else { return nil }
        if let known = containers[number] { return known }
        guard var reader = reader(at: number), let marker: UInt8 = reader.integer() else {
            return nil
        }
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return [0x00: .null, 0x08: .bool(false), 0x09: .bool(true)][marker]
        case 0x1: return Self.integer(&reader, power: low).map { .integer($0) }
        case 0x2, 0x3: return Self.number(&reader, power: low).map { .number($0) }
        case 0x4: return take(&reader, low, unit: 1).map { .bytes($0) }
        case 0x5:
            return take(&reader, low, unit: 1).map { .text(String(decoding: $0, as: UTF8.self)) }
        case 0x6: return take(&reader, low, unit: 2).map { .text(Self.text(utf16: $0)) }
        case 0x8: return reader.take(low + 1).flatMap { Self.size($0) }.map { .position($0) }
        case 0xA, 0xB, 0xC: containers[number] = numbers(&reader, low, rows: 1).map { .array($0) }
        case 0xD: containers[number] = dictionary(&reader, low)
        default: return nil
        }
        return containers[number]
    }

    // MARK: - Parts

    private mutating func spend(parts: Int, bytes: Int = 0) -> Bool {
        guard !isExhausted, parts <= partsLeft, bytes <= bytesLeft else {
            isExhausted = true
            return false
        }
        partsLeft -= parts
        bytesLeft -= bytes
        return true
    }

    /// Returns a reader from a value up to the table of offsets.
    private func reader(at number: Int) -> ByteReader? {
        guard number >= 0, number < count else { return nil }
        let entry = tableStart + number * offsetSize
        guard let offset = Self.size(bytes[entry..<(entry + offsetSize)]),
            offset >= Self.magic.count, offset < tableStart
        else { return nil }
        return ByteReader(bytes[offset..<tableStart])
    }

    /// Returns the count of a value: the low half of its marker, or the integer after it.
    private static func length(_ reader: inout ByteReader, _ low: Int) -> Int? {
        guard low == 0x0F else { return low }
        guard let marker: UInt8 = reader.integer(), marker >> 4 == 1,
            let length = integer(&reader, power: Int(marker & 0x0F))
        else { return nil }
        return Int(exactly: length)
    }

    private mutating func take(_ reader: inout ByteReader, _ low: Int, unit: Int)
        -> ArraySlice<UInt8>?
    {
        guard let length = Self.length(&reader, low), length >= 0,
            length <= reader.remaining / unit, spend(parts: 0, bytes: length * unit)
        else { return nil }
        return reader.take(length * unit)
    }

    /// Returns as many value numbers as the count says, for each row of them.
    private mutating func numbers(_ reader: inout ByteReader, _ low: Int, rows: Int) -> [Int]? {
        guard let length = Self.length(&reader, low), length >= 0,
            length <= reader.remaining / (numberSize * rows), spend(parts: length)
        else { return nil }
        return (0..<(length * rows)).map { _ in
            reader.take(numberSize).flatMap { Self.size($0) } ?? count
        }
    }

    private mutating func dictionary(_ reader: inout ByteReader, _ low: Int) -> Value? {
        guard let numbers = numbers(&reader, low, rows: 2) else { return nil }
        let length = numbers.count / 2
        var members: [String: Int] = [:]
        for index in 0..<length {
            if let name = name(numbers[index]), members[name] == nil {
                members[name] = numbers[length + index]
            } else {
                unreadableNames += 1
            }
        }
        return .dictionary(members)
    }

    private mutating func name(_ number: Int) -> String? {
        if let known = names[number] { return known }
        guard var reader = reader(at: number), let marker: UInt8 = reader.integer(),
            [5, 6].contains(marker >> 4), case .text(let name) = value(number)
        else { return nil }
        names[number] = name
        return name
    }
}

extension BinaryPropertyList {
    /// Returns an unsigned number, most significant byte first; `nil` if it does not fit.
    private static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
        var size: UInt64 = 0
        for byte in bytes {
            guard size >> 56 == 0 else { return nil }
            size = size << 8 | UInt64(byte)
        }
        return Int(exactly: size)
    }

    /// Returns an integer: 1, 2 or 4 unsigned bytes, 8 signed ones, or 16 if it fits into 8.
    private static func integer(_ reader: inout ByteReader, power: Int) -> Int64? {
        guard power <= 4, let bytes = reader.take(1 << power) else { return nil }
        let value = bytes.suffix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return bytes.dropLast(8).allSatisfy { $0 == (value < 0 ? 0xFF : 0) } ? value : nil
    }

    private static func number(_ reader: inout ByteReader, power: Int) -> Double? {
        guard power == 2 || power == 3, let bytes = reader.take(1 << power) else { return nil }
        let bits = bytes.bigEndian
        return power == 3
            ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    private static func text(utf16 bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
