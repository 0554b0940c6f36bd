internal import BrowserSessions

/// Finds the records in a page of a database file: the cells of its tree.
///
///     page    = type:u8 freeBlock:u16 cells:u16 content:u16 fragments:u8 [child:u32] place:u16*
///     cell    = [child:u32] size:varint [rowid:varint] payload [overflow:u32]
///     payload = headerSize:varint type:varint* column*
///
/// Big-endian. Everything is checked against the page, since it may be damaged.
struct SQLiteRecords {
    let page: [UInt8]

    /// A record: the part of its payload in the page, and the location of the rest.
    struct Cell {
        var size: Int
        var local: ArraySlice<UInt8>
        /// The first overflow page, 0 for none.
        var overflow: Int
    }

    /// Kinds of pages that hold records. In a table without rowid, inner pages do too.
    private enum Kind: UInt8 {
        case innerOfIndex = 0x02
        case leafOfIndex = 0x0A
        case leafOfTable = 0x0D

        var headerSize: Int { self == .innerOfIndex ? 12 : 8 }

        /// The most bytes of a payload that stay in the page, with and without overflow.
        var mostLocal: Int {
            let usable = SQLiteFormat.pageSize
            return self == .leafOfTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        }
    }

    /// Returns the readable cells, at most as large as `limit`.
    ///
    /// Cells do not share bytes, so cells of more than twice a page are damage. The rest is left
    /// out; otherwise a page would be read thousands of times.
    func cells(isFirstPage: Bool, limit: Int) -> [Cell] {
        let start = isFirstPage ? 100 : 0
        guard page.count == SQLiteFormat.pageSize, let kind = Kind(rawValue: page[start]) else {
            return []
        }
        let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        let places = start + kind.headerSize
        var rest = 2 * SQLiteFormat.pageSize
        var cells: [Cell] = []
        for index in 0..<count {
            guard let place = number(at: places + 2 * index, bytes: 2), rest >= 0 else { break }
            guard let cell = cell(at: place, kind, limit) else { continue }
            rest -= cell.local.count
            cells.append(cell)
        }
        return cells
    }

    /// Returns the cells of a table with row ids; none for another kind of page.
    func tableCells(isFirstPage: Bool) -> [Cell] {
        let start = isFirstPage ? 100 : 0
        guard page.count == SQLiteFormat.pageSize,
            page[start] == Kind.leafOfTable.rawValue
        else { return [] }
        return cells(isFirstPage: isFirstPage, limit: SQLiteFormat.pageSize)
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

    /// Returns how much of a payload stays in the page, by the rule of the file format.
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

    /// A row of one of our tables.
    struct Row {
        var isState: Bool
        var key: ArraySlice<UInt8>
        var value: ArraySlice<UInt8>
    }

    /// Returns `nil` if the payload has other columns than our tables.
    static func row(of payload: [UInt8]) -> Row? {
        guard let columns = columns(of: payload[...]), columns.end == payload.count else {
            return nil
        }
        return Row(
            isState: columns.isState, key: payload[columns.key],
            value: payload[columns.value.lowerBound...])
    }

    /// The batch that put a row.
    struct Batch {
        var number: UInt64
        /// Whether nothing was written after it before it was durable.
        var isDurable: Bool
        /// Whether everything before it was durable.
        var isAfterDurable: Bool
    }

    /// Returns the batch that put a metadata row. Key and number come first, so the part of the payload in
    /// the page is enough. In a torn page anything may look like columns: they have to fill the payload.
    static func batch(of cell: Cell) -> Batch? {
        let local = cell.local
        guard let columns = columns(of: local), columns.isNumbered,
            columns.end == local.startIndex + cell.size, columns.batch.upperBound <= local.endIndex
        else { return nil }
        let column = local[columns.batch].reduce(0) { $0 << 8 | UInt64($1) }
        return StoredNumber(column).map { number in
            Batch(
                number: number.value / 4,
                isDurable: number.value & UInt64(SQLiteFormat.durable) != 0,
                isAfterDurable: number.value & UInt64(SQLiteFormat.afterDurable) != 0)
        }
    }

    /// The columns' positions in a payload.
    private struct Columns {
        var isState: Bool
        /// Whether the batch is a number, as it should be.
        var isNumbered: Bool
        var key: Range<Int>
        var batch: Range<Int>
        var value: Range<Int>
        var end: Int { value.upperBound }
    }

    /// The columns are key, batch, value in the metadata table, and an absent rowid, key, value in
    /// the state table.
    private static func columns(of payload: ArraySlice<UInt8>) -> Columns? {
        var place = payload.startIndex
        guard let size = varint(payload, &place), size <= payload.count else { return nil }
        let end = payload.startIndex + size
        var types: [Int] = []
        while place < end, types.count < 4 {
            guard let type = varint(payload[..<end], &place) else { return nil }
            types.append(type)
        }
        guard types.count == 3 else { return nil }
        let isState = types[0] == 0
        let (keyType, batchType) = isState ? (types[1], 0) : (types[0], types[1])
        guard let keySize = blobSize(keyType), let batchSize = anySize(batchType),
            let valueSize = blobSize(types[2])
        else { return nil }
        let (batch, value) = (end + keySize, end + keySize + batchSize)
        return Columns(
            isState: isState, isNumbered: 1...6 ~= batchType, key: end..<batch,
            batch: batch..<value,
            value: value..<value + valueSize)
    }

    private static func blobSize(_ type: Int) -> Int? {
        type >= 12 && type % 2 == 0 ? (type - 12) / 2 : nil
    }

    /// Returns the size of any type; a wrong type only hides the batch.
    private static func anySize(_ type: Int) -> Int? {
        type >= 12
            ? (type - 12) / 2
            : [0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0][type]
    }

    /// A number of 7 bits in each byte, highest first; we never write nine bytes.
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
