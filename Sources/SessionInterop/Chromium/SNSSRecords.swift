import BrowserSessions

/// A writer of the records of a session log, the inverse of ``SNSSFile``.
struct SNSSRecords {
    private(set) var bytes: [UInt8] = SNSSFile.magic

    /// The maximum size of a payload in bytes. A record's 16-bit size includes the command.
    static let maximumPayload = Int(UInt16.max) - 1
    /// The maximum length of the names of groups, windows and the like, in units.
    static let longestText = 4096

    /// Begins a log. Version 3 is unencrypted and marks the end of the initial state.
    init(version: Int32 = 3) { bytes += version.littleEndianBytes }

    mutating func record(_ command: UInt8, _ payload: [UInt8]) {
        bytes += UInt16(payload.count + 1).littleEndianBytes
        bytes.append(command)
        bytes += payload
    }

    mutating func numbers(_ command: UInt8, _ values: Int32...) {
        record(command, values.flatMap(\.littleEndianBytes))
    }

    /// Adds a record of an identifier and 64-bit numbers. They begin at a multiple of eight bytes.
    mutating func wide(_ command: UInt8, _ id: Int32, _ values: Int64...) {
        let payload = id.littleEndianBytes + Int32(0).littleEndianBytes
        record(command, payload + values.flatMap(\.littleEndianBytes))
    }

    mutating func pickle(_ command: UInt8, _ write: (inout PickleWriter) -> Void) {
        var pickle = PickleWriter()
        write(&pickle)
        record(command, pickle.framed)
    }

    /// Marks the end of the initial state of a log. Without the mark, Chromium ignores the state.
    mutating func mark() { record(SNSSFile.markerCommand, []) }
}

/// A writer of the values of a Chromium pickle, the inverse of ``PickleReader``.
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

    /// Adds a text of bytes, cut to a maximum number of bytes between two Unicode characters.
    mutating func string(_ text: String, atMost bytes: Int) {
        var end = text.utf8.index(text.startIndex, offsetBy: bytes, limitedBy: text.endIndex)
        while let cut = end, cut.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: cut)
        }
        data(text.utf8[..<(end ?? text.endIndex)])
    }

    /// Adds a text of 16-bit units, cut to a maximum number of units.
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

    /// Adds a token, high half first.
    mutating func token(_ id: NodeID) {
        int64(Int64(bitPattern: id.high))
        int64(Int64(bitPattern: id.low))
    }

    private mutating func align() { while bytes.count % 4 != 0 { bytes.append(0) } }

    /// The size of the values, followed by the values.
    var framed: [UInt8] { UInt32(bytes.count).littleEndianBytes + bytes }
}

extension FixedWidthInteger {
    /// The bytes, least significant first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}
