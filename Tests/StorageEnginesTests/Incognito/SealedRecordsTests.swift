import Expectations

@testable import BrowserSessions
@testable import StorageEngines

struct SealedRecordsTests {
    private let records = SealedRecords(sealer: IncognitoHeaderTests.PlainSealer())

    @Test func lengthsAreFewAndLittleLonger() {
        var lengths: Set<Int> = []
        for length in 0...100_000 {
            let padded = SealedRecords.paddedLength(length)
            expect(padded >= length)
            if length > 256 { expect(padded <= length + length / 8) }
            lengths.insert(padded)
        }
        expect(lengths.min() == 256 && lengths.count < 160)
    }

    @Test(arguments: [0, 1, 200, 300, 5000])
    func whatIsSealedOpensWithoutItsPadding(count: Int) throws {
        let (key, value) = ([UInt8](repeating: 3, count: 40), [UInt8](repeating: 0, count: count))
        let name = try records.pseudonym(of: key, in: .state)
        let sealed = try records.seal(value, for: key, in: .state, as: name)
        expect(sealed.count, is: SealedRecords.paddedLength(8 + 40 + count))
        let opened = try records.open(sealed, as: name, in: .state)
        expect(opened.key == key && opened.value == value)
    }

    @Test func lengthsThatCannotBeAreDamage() throws {
        let damaged: [[UInt8]] = [
            [], [0, 0, 0, 0, 0, 0, 0], [9, 0, 0, 0, 0, 0, 0, 0],
            [UInt8](repeating: 0xFF, count: 64),
        ]
        for bytes in damaged {
            let error = expect(throws: StorageError.self) {
                try records.open(bytes, as: [], in: .metadata)
            }
            expect(error?.code, is: .corrupted)
        }
    }

    @Test func aSealedNumberIsNoOther() throws {
        let text = try records.sealedText(of: 42)
        expect(records.number(in: text), is: 42)
        for strange in ["", "4", "zz", "42", text + "0", String(text.dropLast(2))] {
            expect(records.number(in: strange) == nil)
        }
    }
}
