/// Finds the records in a page of a database file: the cells of its tree.
///
///     page    = type:u8 freeBlock:u16 cells:u16 content:u16 fragments:u8 [child:u32] place:u16*
///     cell    = [child:u32] size:varint [rowid:varint] payload [overflow:u32]
///     payload = headerSize:varint type:varint* column*
///
/// Big-endian. Everything is checked against the page, since it may be damaged.
struct SQLiteRecords {
    let page: [UInt8]

    /// A record: the part of its payload that is in the page, and where the rest is.
    struct Cell {
        var size: Int
        var local: ArraySlice<UInt8>
        /// The first overflow page, 0 for none.
        var overflow: Int
    }

    /// Kinds of pages that hold records. In a table without rowid, inner pages do as well.
    private enum Kind: UInt8 {
        case innerOfIndex = 0x02
        case leafOfIndex = 0x0A
        case leafOfTable = 0x0D

        var headerSize: Int { self == .innerOfIndex ? 12 : 8 }

        /// The most bytes of a payload that stay in the page when there is overflow or not.
        var mostLocal: Int {
            let usable = SQLiteFormat.pageSize
            return self == .leafOfTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        }
    }

    /// The cells that can be read, at most as large as `limit`.
    func cells(isFirstPage: Bool, limit: Int) -> [Cell] {
        let start = isFirstPage ? 100 : 0
        guard page.count == SQLiteFormat.pageSize, let kind = Kind(rawValue: page[start]) else {
            return []
        }
        let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        let places = start + kind.headerSize
        return (0..<count).compactMap { index in
            guard let place = number(at: places + 2 * index, bytes: 2) else { return nil }
            return cell(at: place, kind, limit)
        }
    }

    private func cell(at place: Int, _ kind: Kind, _ limit: Int) -> Cell? {
        var place = kind == .innerOfIndex ? place + 4 : place
        guard let size = Self.varint(page[...], &place), size <= limit else { return nil }
        if kind == .leafOfTable, Self.varint(page[...], &place) == nil { return nil }
        let local = Self.localSize(of: size, kind.mostLocal)
        guard place + local <= page.count else { return nil }
        let bytes = page[place..<place + local]
        if local == size { return Cell(size: size, local: bytes, overflow: 0) }
        guard let overflow = number(at: place + local, bytes: 4) else { return nil }
        return Cell(size: size, local: bytes, overflow: overflow)
    }

    /// How much of a payload stays in the page, by the rule of the file format.
    private static func localSize(of size: Int, _ most: Int) -> Int {
        if size <= most { return size }
        let usable = SQLiteFormat.pageSize
        let least = (usable - 12) * 32 / 255 - 23
        let even = least + (size - least) % (usable - 4)
        return even <= most ? even : least
    }

    private func number(at place: Int, bytes: Int) -> Int? {
        guard place + bytes <= page.count else { return nil }
        return page[place..<place + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The key and the value of a payload with the columns of one of our tables, and whether it is
    /// the table of state, which has its rowid in front.
    static func columns(
        of payload: [UInt8]
    ) -> (isState: Bool, key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        var place = 0
        guard let headerSize = varint(payload[...], &place), headerSize <= payload.count else {
            return nil
        }
        var types: [Int] = []
        while place < headerSize, types.count < 4 {
            guard let type = varint(payload[..<headerSize], &place) else { return nil }
            types.append(type)
        }
        let isState = types.count == 3 && types.removeFirst() == 0
        // Even numbers from 12 on are bytes.
        guard types.count == 2, types.allSatisfy({ $0 >= 12 && $0 % 2 == 0 }) else { return nil }
        let sizes = types.map { ($0 - 12) / 2 }
        guard headerSize + sizes[0] + sizes[1] == payload.count else { return nil }
        let middle = headerSize + sizes[0]
        return (isState, payload[headerSize..<middle], payload[middle...])
    }

    /// A number of 7 bits a byte, the highest first; nine bytes have not been written here.
    private static func varint(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> Int? {
        var value = 0
        for _ in 0..<8 {
            guard place < bytes.endIndex else { return nil }
            let byte = bytes[place]
            place += 1
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
