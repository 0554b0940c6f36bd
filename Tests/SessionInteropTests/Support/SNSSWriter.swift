/// Writes Chromium's session logs.
struct SNSSWriter {
    private(set) var bytes: [UInt8] = Array("SNSS".utf8)
    /// Whether structs are laid out as by a 32-bit program, without padding before 64-bit numbers.
    var isNarrow = false

    init(version: Int32 = 3) { append(version, to: &bytes) }

    mutating func record(_ command: UInt8, _ payload: [UInt8]) {
        append(UInt16(payload.count + 1), to: &bytes)
        bytes.append(command)
        bytes += payload
    }

    /// A record of 32-bit numbers.
    mutating func numbers(_ command: UInt8, _ values: Int32...) {
        var payload: [UInt8] = []
        for value in values { append(value, to: &payload) }
        record(command, payload)
    }

    /// A record of an id, padding, and a time.
    mutating func time(_ command: UInt8, _ id: Int32, _ time: Int64) {
        var payload: [UInt8] = []
        append(id, to: &payload)
        if !isNarrow { append(Int32(0), to: &payload) }
        append(time, to: &payload)
        record(command, payload)
    }

    /// The old form of a closed window.
    mutating func window(_ id: Int32, selected: Int32, tabs: Int32, _ time: Int64) {
        var payload: [UInt8] = []
        for value in [id, selected, tabs] { append(value, to: &payload) }
        if !isNarrow { append(Int32(0), to: &payload) }
        append(time, to: &payload)
        record(3, payload)
    }

    /// The selected index of a closed tab, and when it was closed.
    mutating func closedTab(_ id: Int32, selected: Int32, _ time: Int64) {
        var payload: [UInt8] = []
        append(id, to: &payload)
        append(selected, to: &payload)
        append(time, to: &payload)
        record(4, payload)
    }

    mutating func group(_ tab: Int32, high: UInt64, low: UInt64) {
        var payload: [UInt8] = []
        append(tab, to: &payload)
        if !isNarrow { append(Int32(0), to: &payload) }
        append(high, to: &payload)
        append(low, to: &payload)
        if isNarrow { append(UInt32(1), to: &payload) } else { append(UInt64(1), to: &payload) }
        record(25, payload)
    }

    mutating func pickle(_ command: UInt8, _ write: (inout Pickle) -> Void) {
        var pickle = Pickle()
        write(&pickle)
        record(command, pickle.framed)
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

    struct Pickle {
        private var bytes: [UInt8] = []

        mutating func int(_ value: Int32) { append(value, to: &bytes) }

        mutating func int64(_ value: Int64) { append(value, to: &bytes) }

        mutating func string(_ text: String) {
            int(Int32(text.utf8.count))
            bytes += text.utf8
            align()
        }

        mutating func string16(_ text: String) {
            int(Int32(text.utf16.count))
            for unit in text.utf16 { append(unit, to: &bytes) }
            align()
        }

        private mutating func align() {
            while bytes.count % 4 != 0 { bytes.append(0) }
        }

        var framed: [UInt8] {
            var framed: [UInt8] = []
            append(UInt32(bytes.count), to: &framed)
            return framed + bytes
        }
    }
}

private func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
}
