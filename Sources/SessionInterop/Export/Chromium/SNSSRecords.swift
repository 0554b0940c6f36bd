import BrowserSessions

/// Writes the records of a session log: the inverse of ``SNSSFile``.
struct SNSSRecords {
    private(set) var bytes: [UInt8] = SNSSFile.magic

    /// The most bytes of a payload: the size of a record has 16 bits and counts the command, too.
    static let maximumPayload = Int(UInt16.max) - 1
    /// Names of groups and windows and the like are cut to so many units.
    static let longestText = 4096

    /// A log; of version 3 it is in the clear, with a mark behind the state that it begins with.
    init(version: Int32 = 3) { bytes += version.littleEndianBytes }

    mutating func record(_ command: UInt8, _ payload: [UInt8]) {
        bytes += UInt16(payload.count + 1).littleEndianBytes
        bytes.append(command)
        bytes += payload
    }

    mutating func numbers(_ command: UInt8, _ values: Int32...) {
        record(command, values.flatMap(\.littleEndianBytes))
    }

    /// A record of an identifier and 64-bit numbers, which begin at a multiple of eight.
    mutating func wide(_ command: UInt8, _ id: Int32, _ values: Int64...) {
        let payload = id.littleEndianBytes + Int32(0).littleEndianBytes
        record(command, payload + values.flatMap(\.littleEndianBytes))
    }

    mutating func pickle(_ command: UInt8, _ write: (inout PickleWriter) -> Void) {
        var pickle = PickleWriter()
        write(&pickle)
        record(command, pickle.framed)
    }

    /// The end of the state that a log begins with; without it Chromium uses none of it.
    mutating func mark() { record(SNSSFile.markerCommand, []) }
}

/// Writes the values of a Chromium pickle: the inverse of ``PickleReader``.
struct PickleWriter {
    private var bytes: [UInt8] = []

    mutating func int(_ value: Int32) { bytes += value.littleEndianBytes }

    mutating func int64(_ value: Int64) { bytes += value.littleEndianBytes }

    mutating func bool(_ value: Bool) { int(value ? 1 : 0) }

    mutating func data(_ data: some Collection<UInt8>) {
        int(Int32(clamping: data.count))
        bytes += data
        align()
    }

    /// A text of bytes, cut to at most so many of them between two characters of Unicode.
    mutating func string(_ text: String, atMost bytes: Int) {
        var end = text.utf8.index(text.startIndex, offsetBy: bytes, limitedBy: text.endIndex)
        while let cut = end, cut.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: cut)
        }
        data(text.utf8[..<(end ?? text.endIndex)])
    }

    /// A text of 16-bit units, cut to at most so many of them.
    mutating func string16(_ text: String, atMost units: Int = .max) {
        var units = text.utf16.prefix(units)
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        int(Int32(clamping: units.count))
        for unit in units {
            bytes.append(UInt8(truncatingIfNeeded: unit))
            bytes.append(UInt8(unit >> 8))
        }
        align()
    }

    /// High half first.
    mutating func token(_ id: TabGroupID) {
        int64(Int64(bitPattern: id.high))
        int64(Int64(bitPattern: id.low))
    }

    private mutating func align() { while bytes.count % 4 != 0 { bytes.append(0) } }

    /// The values with their size in front.
    var framed: [UInt8] { UInt32(bytes.count).littleEndianBytes + bytes }
}

extension FixedWidthInteger {
    /// The least significant byte first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}
