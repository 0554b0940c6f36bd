import BrowserSessions

/// Floor D: tabs in a flat format that no store uses, and its decoder.
///
/// A tab is its address, its title and the address of its icon, each behind its length in 16 bits,
/// its two times in 64 bits, and the number of its pages in one byte; all little-endian, in one
/// buffer. Identifiers and places are given; everything else that a tab may have is left out.
///
/// Figures of every revision are compared with this work, so it does not change.
struct FlatTabs {
    private let bytes: [UInt8]
    private let places: [(id: TabID, place: OrderKey)]

    /// Encodes the tabs. Strings are cut at 65,535 bytes, and numbers of pages at 255.
    init(_ tabs: [TabMetadata]) {
        var bytes: [UInt8] = []
        for tab in tabs {
            for string in [tab.url, tab.title, tab.faviconURL] {
                let utf8 = Array(string.utf8.prefix(Int(UInt16.max)))
                bytes += [UInt8(truncatingIfNeeded: utf8.count), UInt8(utf8.count >> 8)] + utf8
            }
            for time in [tab.createdAt, tab.lastActiveAt] {
                withUnsafeBytes(of: time.microseconds.littleEndian) { bytes += $0 }
            }
            bytes.append(UInt8(clamping: tab.navigationItemCount))
        }
        self.bytes = bytes
        places = tabs.map { ($0.id, $0.place) }
    }

    /// Returns the tabs, with the fields that the format has.
    func decoded() -> [TabMetadata] {
        var tabs: [TabMetadata] = []
        tabs.reserveCapacity(places.count)
        bytes.withUnsafeBytes { buffer in
            var reader = FlatReader(buffer)
            for (id, place) in places {
                let url = reader.string()
                let title = reader.string()
                let faviconURL = reader.string()
                let createdAt = Timestamp(microseconds: reader.int64())
                let lastActiveAt = Timestamp(microseconds: reader.int64())
                tabs.append(
                    TabMetadata(
                        id: id, place: place, url: url, title: title, faviconURL: faviconURL,
                        createdAt: createdAt, lastActiveAt: lastActiveAt,
                        navigationItemCount: Int32(reader.byte())))
            }
        }
        return tabs
    }
}

/// Reads what ``FlatTabs`` wrote in the same process, so it does not check the bytes.
private struct FlatReader {
    private let buffer: UnsafeRawBufferPointer
    private var offset = 0

    init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

    mutating func string() -> String {
        let count = Int(
            UInt16(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        let start = offset + 2
        offset = start + count
        return String(
            decoding: UnsafeRawBufferPointer(rebasing: buffer[start..<offset]), as: UTF8.self)
    }

    mutating func int64() -> Int64 {
        defer { offset += 8 }
        return Int64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }

    mutating func byte() -> UInt8 {
        defer { offset += 1 }
        return buffer[offset]
    }
}
