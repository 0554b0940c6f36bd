import Synchronization

@testable import BrowserSessions
@testable import StorageEngines

/// An engine that believes its file, as one over a memory map does: each record is in blocks of its own, a
/// block of zeros is an empty page, and any other that it did not write would end the process.
final class TrustingEngine: FileEngine {
    static let file = "pages"
    let name = "trusting"
    let formatVersion = 1
    let abilities = EngineAbilities(durability: .powerLoss, limits: .none, findsDamage: false)
    private let state = Mutex(State())

    private struct State {
        var traps = 0
        var isFull = false
        var beforeOpening: (@Sendable () -> Void)?
    }

    /// How often it was given a file that would have ended the process.
    var traps: Int { state.withLock(\.traps) }

    /// Whether writes throw ``StorageError/Code/outOfSpace``.
    func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    fileprivate func requireSpace() throws {
        guard state.withLock({ !$0.isFull }) else {
            throw StorageError(.outOfSpace, "the disk is full")
        }
    }

    /// Looks at the surroundings of the next opening.
    func expectOpening(_ look: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeOpening = look }
    }

    func recognizes(_ names: [String]) -> Bool { names.contains(Self.file) }

    func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        let directory = request.directory
        let look = state.withLock { state in
            defer { state.beforeOpening = nil }
            return state.beforeOpening
        }
        look?()
        guard try directory.has(Self.file) else {
            return TrustingStore(TrustedPages(), directory, self)
        }
        guard let pages = TrustedPages(try directory.read(Self.file)) else {
            state.withLock { $0.traps += 1 }
            throw StorageError(.failed, "the process would have ended")
        }
        return TrustingStore(pages, directory, self)
    }
}

/// Records in order, and the places between them where a page is empty.
struct TrustedPages {
    static let pageSize = 4096
    private(set) var records: [(key: [UInt8], value: [UInt8])] = []
    /// Before which records something is missing.
    private(set) var gaps: Set<Int> = []

    init() {}

    /// `nil` if the pages are not as they were written.
    init?(_ bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: Self.pageSize) else { return nil }
        var rest: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: Self.pageSize) {
            let page = [UInt8](bytes[start..<start + Self.pageSize])
            if page.allSatisfy({ $0 == 0 }) {
                gaps.insert(records.count)
                rest = []
                continue
            }
            guard Self.sum(of: page.dropFirst(4)) == [UInt8](page.prefix(4)) else { return nil }
            let isFirst = page[4] == 1
            guard isFirst || !rest.isEmpty else { continue }
            rest = (isFirst ? [] : rest) + page.dropFirst(5)
            let keySize = Int(rest[0])
            let valueSize = rest[1..<4].reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4 + keySize + valueSize else { continue }
            let value = rest[(4 + keySize)..<(4 + keySize + valueSize)]
            records.append(([UInt8](rest[4..<4 + keySize]), [UInt8](value)))
            rest = []
        }
    }

    var bytes: [UInt8] {
        records.flatMap { record in
            let (key, value) = (record.key, record.value)
            let size = [key.count, value.count >> 16, value.count >> 8, value.count]
            let whole = size.map { UInt8(truncatingIfNeeded: $0) } + key + value
            return stride(from: 0, to: whole.count, by: Self.pageSize - 5).flatMap { start in
                let part = whole[start..<min(start + Self.pageSize - 5, whole.count)]
                let zeros = [UInt8](repeating: 0, count: Self.pageSize - 5 - part.count)
                let body = [start == 0 ? 1 : 2] + part + zeros
                return Self.sum(of: body[...]) + body
            }
        }
    }

    private static func sum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        withUnsafeBytes(of: CRC32C.checksum([UInt8](bytes)).littleEndian) { [UInt8]($0) }
    }

    /// The first record that is not before a key.
    func place(of key: [UInt8]) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            let isBefore = records[middle].key.lexicographicallyPrecedes(key)
            (low, high) = isBefore ? (middle + 1, high) : (low, middle)
        }
        return low
    }

    mutating func set(_ value: [UInt8]?, for key: [UInt8]) {
        let place = place(of: key)
        if place < records.count, records[place].key == key { records.remove(at: place) }
        if let value { records.insert((key, value), at: place) }
    }
}

private final class TrustingStore: OrderedByteStore {
    let openingNotes: [String] = []
    let wantsMaintenance = false
    private var pages: TrustedPages
    private let directory: any FileDirectory
    private let engine: TrustingEngine

    init(_ pages: TrustedPages, _ directory: any FileDirectory, _ engine: TrustingEngine) {
        self.pages = pages
        self.directory = directory
        self.engine = engine
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        let key = [space.rawValue] + key
        let place = pages.place(of: key)
        if place < pages.records.count, pages.records[place].key == key {
            return pages.records[place].value
        }
        try requireWhole(place)
        return nil
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let prefix = [space.rawValue] + prefix
        let first = pages.place(of: prefix)
        for place in first...pages.records.count {
            let isFound = place == first && pages.records.indices.contains(place)
            if !isFound || pages.records[place].key != prefix { try requireWhole(place) }
            guard place < pages.records.count, pages.records[place].key.starts(with: prefix)
            else { return }
            try pages.records[place].key.dropFirst().withUnsafeBytes { key in
                try pages.records[place].value.withUnsafeBytes { try visit(key, $0) }
            }
        }
    }

    private func requireWhole(_ place: Int) throws {
        guard pages.gaps.contains(place) else { return }
        throw StorageError(.corrupted, "a page is empty")
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        try engine.requireSpace()
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value): pages.set(value, for: [space.rawValue] + key)
            case .remove(let space, let key): pages.set(nil, for: [space.rawValue] + key)
            }
        }
        try directory.replace(TrustingEngine.file, with: pages.bytes)
    }

    func sync() {}
    func maintain() {}
    func verify() -> [String] { [] }
    func close() {}
}
