import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import SQLiteBackend

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Pages that lead to each other, and holes: files that are small, and endless to those who follow them.
@Suite("SQLite files without an end", .timeLimit(.minutes(10)))
struct SQLiteEndlessTests {
    private let engine = SQLiteEngine()

    private func store() throws -> TemporaryFolder {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        for number in UInt8(0)..<10 { try store.put([number, 7], [number]) }
        try store.close()
        return scratch
    }

    private func salvaged(_ store: TemporaryFolder) throws -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        _ = try engine.salvage(store.path) { _, key, _ in found.insert([UInt8](key)) }
        return found
    }

    private func overwrite(_ store: TemporaryFolder, _ body: (inout [UInt8]) -> Void) throws {
        let path = "\(store.path)/sessions.db"
        var bytes = try FileSystem.read(path)
        body(&bytes)
        try FileSystem.replace(path, with: bytes)
    }

    /// An inner page of a table without row ids, with one page as all of its children.
    private func innerPage(child: UInt8) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: 4096)
        let cells = 200
        page.replaceSubrange(0..<12, with: [2, 0, 0, 0, UInt8(cells), 0, 0, 0, 0, 0, 0, child])
        // Key, batch and value of no bytes or few.
        let cell: [UInt8] = [0, 0, 0, child, 6, 4, 14, 1, 12, 9, 1]
        for index in 0..<cells {
            let place = 4096 - (index + 1) * cell.count
            page.replaceSubrange(place..<place + cell.count, with: cell)
            page[12 + 2 * index] = UInt8(place >> 8)
            page[13 + 2 * index] = UInt8(place & 0xFF)
        }
        page[5] = UInt8((4096 - cells * cell.count) >> 8)
        page[6] = UInt8((4096 - cells * cell.count) & 0xFF)
        return page
    }

    @Test("Pages that lead to one page again and again are damage, found soon")
    func sharedPages() throws {
        let scratch = try store()
        // The tree of metadata gets ten levels, each with one page: 200 to the power of ten rows.
        try overwrite(scratch) { bytes in
            let leaf = [UInt8](bytes[4096..<8192])
            for page in 5...14 { bytes += self.innerPage(child: UInt8(page + 1)) }
            bytes += leaf
            bytes.replaceSubrange(4096..<8192, with: self.innerPage(child: 5))
            bytes.replaceSubrange(28..<32, with: [0, 0, 0, 15])
        }
        let error = expect(throws: StorageError.self) { try engine.open(scratch.path) }
        expect(error?.code, is: .corrupted)
        expect(try salvaged(scratch).count >= 10)
    }

    /// Makes one endless chain of all pages that continue a record, and each record 200 pages longer.
    private func enlarge(_ bytes: inout [UInt8]) {
        func number(_ place: Int) -> Int {
            bytes[place..<place + 3].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        }
        func put(_ number: Int, at place: Int) {
            bytes[place] = UInt8(number >> 14) | 0x80
            bytes[place + 1] = UInt8(number >> 7 & 0x7F) | 0x80
            bytes[place + 2] = UInt8(number & 0x7F)
        }
        let pages = Array(stride(from: 0, to: bytes.count, by: 4096).dropFirst(4))
        let chained = pages.filter { bytes[$0] == 0 }
        for (page, next) in zip(chained, chained.dropFirst() + chained.prefix(1)) {
            bytes[page + 2] = UInt8((next / 4096 + 1) >> 8)
            bytes[page + 3] = UInt8((next / 4096 + 1) & 0xFF)
        }
        for page in pages where bytes[page] == 0x0D {
            for index in 0..<Int(bytes[page + 4]) {
                let pointer = page + 8 + 2 * index
                let cell = page + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
                put(number(cell) + 200 * 4092, at: cell)
                // Behind the row id: the header's size, no id, a key of one byte, the value.
                let type = cell + (bytes[cell + 3] < 0x80 ? 4 : 5) + 3
                put(number(type) + 2 * 200 * 4092, at: type)
            }
        }
    }

    @Test("Chains that share pages, and loops, cost no more than a file of their size")
    func sharedChains() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        for number in UInt8(0)..<60 {
            try store.put([UInt8](repeating: number, count: 20_000), [number], in: .state)
        }
        try store.close()
        try overwrite(scratch) { self.enlarge(&$0) }
        let size = try FileSystem.read("\(scratch.path)/sessions.db").count
        var visited = 0
        _ = try engine.salvage(scratch.path) { _, key, value in visited += key.count + value.count }
        expect(800_000...4 * size ~= visited)
        let hostile = try engine.open(scratch.path)
        visited = 0
        let error = expect(throws: StorageError.self) {
            try hostile.scan(.state, prefix: []) { _, value in visited += value.count }
        }
        expect(error?.code, is: .corrupted)
        expect(800_000...2 * size ~= visited)
        expect(try !hostile.verify().isEmpty)
        try hostile.close()
    }

    @Test("Cells that share bytes are not read thousands of times")
    func sharedCells() throws {
        let scratch = TemporaryFolder(inMemory: true)
        let store = try engine.open(scratch.path)
        try store.put([UInt8](repeating: 1, count: 900), [1])
        try store.close()
        try overwrite(scratch) { bytes in
            let place = [bytes[4096 + 8], bytes[4096 + 9]]
            bytes[4096 + 3] = 5
            for index in 0..<1280 {
                bytes.replaceSubrange(4096 + 8 + 2 * index..<4096 + 10 + 2 * index, with: place)
            }
        }
        var count = 0
        _ = try engine.salvage(scratch.path) { _, _, _ in count += 1 }
        expect(1..<20 ~= count)
    }

    @Test("Holes of terabytes are not read")
    func holes() throws {
        let original = TemporaryFolder(inMemory: true)
        let store = try engine.open(original.path)
        for number in UInt8(0)..<10 { try store.put([number, 7], [number]) }
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        for name in ["sessions.db", "sessions.db-wal"] {
            let file = try PosixFile(opening: "\(copy.path)/\(name)", flags: O_WRONLY)
            let garbage = [UInt8](repeating: 0x5A, count: 5000)
            expect(pwrite(file.raw, garbage, garbage.count, 1 << 40), is: garbage.count)
        }
        if let opened = try? engine.open(copy.path) {
            expect(try opened.keys(.metadata).count == 10)
            _ = try opened.verify()
            try? opened.close()
        }
        expect(try salvaged(copy).count == 10)
    }
}
