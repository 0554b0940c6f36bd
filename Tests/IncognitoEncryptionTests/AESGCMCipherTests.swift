import BrowserSessions
import Expectations
import IncognitoEncryption
import StorageEngines
import TestSupport

struct AESGCMCipherTests {
    let cipher = AESGCMCipher()
    let sealer: any IncognitoSealer
    let other: any IncognitoSealer
    let plain = [UInt8]("what must stay private".utf8)
    let binding = [UInt8]("where it belongs".utf8)

    init() throws {
        sealer = try cipher.sealer(key: cipher.makeKey())
        other = try cipher.sealer(key: cipher.makeKey())
    }

    func isCorrupted(_ sealed: [UInt8], _ binding: [UInt8], by sealer: any IncognitoSealer) -> Bool
    {
        do {
            _ = try sealer.open(sealed, binding: binding)
            return false
        } catch { return (error as? StorageError)?.code == .corrupted }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4096, 100_000, 16 << 20])
    func whatIsSealedOpens(count: Int) throws {
        let plain = [UInt8](0...255).repeated(to: count)
        let sealed = try sealer.seal(plain, binding: binding)
        expect(sealed.count, is: count + 28)
        expect(try sealer.open(sealed, binding: binding) == plain)
    }

    @Test func noNonceComesTwice() throws {
        var nonces: Set<[UInt8]> = []
        for _ in 0..<2000 {
            let sealed = try sealer.seal(plain, binding: binding)
            expect(nonces.insert(Array(sealed.prefix(12))).inserted)
        }
    }

    @Test func everyChangeIsNoticed() throws {
        let sealed = try sealer.seal(plain, binding: binding)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            expect(isCorrupted(changed, binding, by: sealer))
        }
        for count in 0..<sealed.count {
            expect(isCorrupted(Array(sealed.prefix(count)), binding, by: sealer))
        }
        expect(isCorrupted(sealed + [0], binding, by: sealer))
        expect(isCorrupted(sealed, binding + [0], by: sealer))
        expect(isCorrupted(sealed, [], by: sealer))
        expect(isCorrupted(sealed, binding, by: other))
    }

    @Test func aPseudonymIsThatOfTheBytesAndTheKey() throws {
        let key = try cipher.makeKey()
        let twins = try [cipher.sealer(key: key), cipher.sealer(key: key)]
        expect(try twins[0].pseudonym(of: plain) == twins[1].pseudonym(of: plain))
        expect(try twins[1].open(twins[0].seal(plain, binding: []), binding: []) == plain)
        expect(try sealer.pseudonym(of: plain) != other.pseudonym(of: plain))
        let names = try (0..<2000).map {
            try sealer.pseudonym(of: [
                UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0),
            ])
        }
        expect(Set(names).count, is: 2000)
        expect(names.allSatisfy { $0.count == 16 })
    }

    @Test(arguments: [0, 16, 31, 33])
    func otherKeysAreRefused(count: Int) {
        let error = expect(throws: StorageError.self) {
            try cipher.sealer(key: SecretBytes(copying: [UInt8](repeating: 1, count: count)))
        }
        expect(error?.code, is: .keyUnavailable)
    }

    @Test func manyThreadsUseOneSealer() async throws {
        try await withThrowingTaskGroup { group in
            for thread in 0..<16 {
                group.addTask {
                    for round in 0..<200 {
                        let plain = [UInt8](repeating: UInt8(thread), count: round)
                        let binding = [UInt8(round)]
                        let sealed = try sealer.seal(plain, binding: binding)
                        expect(try sealer.open(sealed, binding: binding) == plain)
                        expect(isCorrupted(sealed, [UInt8(thread)] + binding, by: sealer))
                        let name = try sealer.pseudonym(of: plain)
                        expect(try sealer.pseudonym(of: plain) == name)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
