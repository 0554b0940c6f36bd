import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines
import TestSupport

/// An engine's store that does anything an owner does, and knows what it held after each batch.
final class LiveWriter {
    /// As `Data`, which compares faster than arrays where nothing is optimized.
    typealias Records = [KeySpace: [Data: Data]]

    private let engine: any FileEngine
    let directory: any FileDirectory
    private var store: (any OrderedByteStore)?
    private var generator: SeededGenerator
    /// What the store held after each batch, by the number of the batch.
    private(set) var states: [Records] = [[.metadata: [:], .state: [:]]]
    /// The last batch that is durable.
    private(set) var durable = 0

    private static let counter = Data("n".utf8)
    private static let keys = 40

    init(_ engine: any FileEngine, in folder: TemporaryFolder, seed: UInt64) throws {
        self.engine = engine
        try FileManager.default.createDirectory(
            atPath: folder.file("partition"), withIntermediateDirectories: true)
        directory = try PosixDirectory(opening: folder.file("partition"))
        generator = SeededGenerator(seed: seed)
        store = try engine.open(OpenRequest(directory, wasClosed: false))
    }

    /// The batch that a store of these records ends with.
    static func number(of records: Records) -> Int {
        let text = records[.metadata]?[counter] ?? Data()
        return Int(String(decoding: text, as: UTF8.self)) ?? 0
    }

    /// Returns all records of a store.
    static func records(of store: any OrderedByteStore) throws -> Records {
        var records: Records = [:]
        for space in KeySpace.allCases {
            var found: [Data: Data] = [:]
            try store.scan(space, prefix: []) { found[Data($0)] = Data($1) }
            records[space] = found
        }
        return records
    }

    /// Does one thing at random.
    func act() throws {
        switch generator.integer(in: 0...19) {
        case 0: try sync()
        case 1, 2: try maintain()
        case 3:
            try store?.close()
            durable = states.count - 1
            store = try engine.open(OpenRequest(directory, wasClosed: true))
        case 4:
            // As a kill leaves it.
            store = nil
            store = try engine.open(OpenRequest(directory, wasClosed: false))
        case 5...9: try write(durably: false)
        default: try write(durably: true)
        }
    }

    private func sync() throws {
        try store?.sync()
        durable = states.count - 1
    }

    private func maintain() throws {
        if let store, store.wantsMaintenance { try store.maintain() }
    }

    private func write(durably: Bool) throws {
        var records = states[states.count - 1]
        var batch = ByteBatch()
        func put(_ space: KeySpace, _ key: [UInt8], _ value: [UInt8]?) {
            guard let value else {
                batch.remove(key, in: space)
                records[space]?[Data(key)] = nil
                return
            }
            batch.put(value, for: key, in: space)
            records[space]?[Data(key)] = Data(value)
        }
        for space in KeySpace.allCases {
            var taken: Set<Int> = []
            for _ in 0...generator.integer(in: 0...3) {
                let number = generator.integer(in: 1...Self.keys)
                guard taken.insert(number).inserted else { continue }
                let isRemoval = generator.integer(in: 0...4) == 0
                let most = generator.integer(in: 0...5) == 0 ? 200_000 : 2000
                let bytes = generator.integer(in: 0...most)
                put(
                    space, [UInt8]("key \(number)".utf8),
                    isRemoval ? nil : SampleState.blob(bytes: bytes, using: &generator))
            }
        }
        try write(batch, records, durably: durably)
    }

    private func write(_ batch: ByteBatch, _ records: Records, durably: Bool) throws {
        var (batch, records) = (batch, records)
        let number = [UInt8]("\(states.count)".utf8)
        batch.put(number, for: [UInt8](Self.counter), in: .metadata)
        records[.metadata]?[Self.counter] = Data(number)
        try store?.write(batch, durably: durably)
        states.append(records)
        if durably { durable = states.count - 1 }
    }

    /// Changes everything, moves it to where it stays, and begins the next log: what costs a copy most.
    func burst() throws {
        for _ in 0..<2 {
            var batch = ByteBatch()
            var records = states[states.count - 1]
            // Of one size, so that each stays in its place and a mixture of two states would be sound.
            for number in 1...3000 {
                let key = [UInt8]("wide \(number)".utf8)
                let value = [UInt8](repeating: UInt8(states.count % 251), count: 900)
                batch.put(value, for: key, in: .metadata)
                records[.metadata]?[Data(key)] = Data(value)
            }
            try write(batch, records, durably: false)
        }
        try sync()
        try maintain()
        try write(durably: true)
    }

    func close() throws {
        try store?.close()
        store = nil
    }
}
