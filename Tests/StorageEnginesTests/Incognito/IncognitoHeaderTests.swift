import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

struct IncognitoHeaderTests {
    /// Seals nothing; its pseudonyms depend on its name.
    struct PlainSealer: IncognitoSealer {
        var name: UInt8 = 1
        func seal(_ plain: [UInt8], binding: [UInt8]) -> [UInt8] { plain }
        func open(_ sealed: [UInt8], binding: [UInt8]) -> [UInt8] { sealed }
        func pseudonym(of bytes: [UInt8]) -> [UInt8] { Array((bytes + [name]).reversed()) }
    }

    let header: IncognitoHeader

    init() throws {
        header = try IncognitoHeader(
            StorageTraits.Sealing(
                cipher: "AES-256-GCM", keyStore: "keyring", survives: .processCrash,
                keyLiesInStore: false),
            .random(), PlainSealer(), keyScope: "start-1")
    }

    @Test func anEraIsKeptAndMayBeMissing() throws {
        expect(try IncognitoHeader(header.bytes)?.keyScope == "start-1")
        var other = header
        other.keyScope = nil
        expect(try IncognitoHeader(other.bytes) == other)
    }

    @Test func aFlippedBitLosesNothing() throws {
        let bytes = header.bytes
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            expect(try IncognitoHeader(damaged) == header)
        }
        for count in bytes.count / 2..<bytes.count {
            expect(try IncognitoHeader(Array(bytes.prefix(count))) == header)
        }
    }

    @Test func twoDamagedLinesAreNoHeader() throws {
        expect(try IncognitoHeader([]) == nil)
        var bytes = header.bytes
        bytes[10] ^= 1
        bytes[bytes.count - 10] ^= 1
        expect(try IncognitoHeader(bytes) == nil)
        expect(try IncognitoHeader(Array(header.bytes.prefix(40))) == nil)
    }

    @Test func aNewerVersionIsRefused() throws {
        let body = "sealed 2 something else"
        let checksum = CRC32C.masked(CRC32C.checksum([UInt8](body.utf8)))
        let error = expect(throws: StorageError.self) {
            try IncognitoHeader([UInt8]("\(body) \(checksum)\n".utf8))
        }
        expect(error?.code, is: .incompatibleFormat)
    }

    @Test func itKnowsItsKey() throws {
        expect(try header.matches(PlainSealer()))
        expect(try !header.matches(PlainSealer(name: 2)))
    }

    @Test func sortedRecordsAreASortedDictionary() {
        var generator = SeededGenerator(seed: 7)
        var records = SortedRecords([])
        var expected: [[UInt8]: [UInt8]] = [:]
        for round in 0..<3000 {
            let key = (0..<generator.integer(in: 0...3)).map { _ in
                UInt8(generator.integer(in: 0...4))
            }
            let value: [UInt8]? = generator.chance(1, in: 3) ? nil : [UInt8(round % 256)]
            records[key] = value
            expected[key] = value
            expect(records[key], is: value)
        }
        for prefix: [UInt8] in [[], [0], [2], [4], [4, 4], [9]] {
            var found: [[UInt8]] = []
            records.scan(prefix) { key, value in
                found.append([UInt8](key))
                expect(expected[[UInt8](key)], is: [UInt8](value))
            }
            expect(
                found,
                is: expected.keys.filter { $0.starts(with: prefix) }
                    .sorted { $0.lexicographicallyPrecedes($1) })
        }
    }
}
