@testable import SessionInterop

/// Writes Chromium's session logs, also as older and narrower programs did.
struct SNSSWriter {
    private var log: SNSSRecords
    /// Whether structs are laid out as by a 32-bit program, without padding before 64-bit numbers.
    var isNarrow = false

    init(version: Int32 = 3) { log = SNSSRecords(version: version) }

    var bytes: [UInt8] { log.bytes }

    private var padding: [UInt8] { isNarrow ? [] : [0, 0, 0, 0] }

    mutating func record(_ command: UInt8, _ payload: [UInt8]) { log.record(command, payload) }

    /// A record of 32-bit numbers.
    mutating func numbers(_ command: UInt8, _ values: Int32...) {
        record(command, values.flatMap(\.littleEndianBytes))
    }

    /// A record of an id, padding, and a time.
    mutating func time(_ command: UInt8, _ id: Int32, _ time: Int64) {
        record(command, id.littleEndianBytes + padding + time.littleEndianBytes)
    }

    /// The old form of a closed window.
    mutating func window(_ id: Int32, selected: Int32, tabs: Int32, _ time: Int64) {
        let numbers = [id, selected, tabs].flatMap(\.littleEndianBytes)
        record(3, numbers + padding + time.littleEndianBytes)
    }

    /// The selected index of a closed tab, and when it was closed.
    mutating func closedTab(_ id: Int32, selected: Int32, _ time: Int64) {
        record(4, [id, selected].flatMap(\.littleEndianBytes) + time.littleEndianBytes)
    }

    mutating func group(_ tab: Int32, high: UInt64, low: UInt64) {
        let token = high.littleEndianBytes + low.littleEndianBytes
        record(25, tab.littleEndianBytes + padding + token + Int32(1).littleEndianBytes + padding)
    }

    mutating func pickle(_ command: UInt8, _ write: (inout PickleWriter) -> Void) {
        log.pickle(command, write)
    }

    mutating func navigation(
        _ command: UInt8 = 6, tab: Int32, index: Int32, url: String, title: String,
        time: Int64 = 13_346_873_882_166_178, state: String = ""
    ) {
        pickle(command) {
            $0.int(tab)
            $0.int(index)
            $0.string(url)
            $0.string16(title)
            $0.string(state)
            $0.int(index == 0 ? 1 : 0)
            $0.int(0)
            $0.string("")
            $0.int(1)
            $0.string(url)
            $0.int(0)
            $0.int64(time)
            $0.string16("")
            $0.int(200)
            $0.int(2)
        }
    }
}

extension PickleWriter {
    /// A text as it is, however long.
    mutating func string(_ text: String) { data(text.utf8) }
}
