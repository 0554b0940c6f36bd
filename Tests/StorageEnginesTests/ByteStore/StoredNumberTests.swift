import BrowserSessions
import Expectations
import StorageEngines

@Suite("Numbers that came from a disk or a server")
struct StoredNumberTests {
    private let last = StoredNumber(StoredNumber.limit - 1)

    @Test("Are whole, not negative and below the limit")
    func range() {
        expect(StoredNumber(Int(-1)) == nil)
        expect(StoredNumber(Int64.min) == nil)
        expect(StoredNumber(UInt64.max) == nil)
        expect(StoredNumber(StoredNumber.limit) == nil)
        expect(StoredNumber(Int(0)), is: .zero)
        expect(last?.value, is: StoredNumber.limit - 1)
    }

    @Test(
        "Are read from digits alone",
        arguments: ["", "+1", "-1", " 1", "1 ", "0x1", "1.0", "١", "18446744073709551616"])
    func digits(text: String) { expect(StoredNumber(decimal: text) == nil) }

    @Test("Are read with zeros before them")
    func zeros() { expect(StoredNumber(decimal: "00000012")?.value, is: 12) }

    @Test("Have no sum out of range")
    func sums() throws {
        let last = try require(last)
        expect(last.adding(1) == nil)
        expect(last.adding(last) == nil)
        expect(last.adding(UInt64.max) == nil)
        expect(last.adding(Int64.min) == nil)
        expect(last.adding(Int.max) == nil)
        expect(StoredNumber.zero.adding(-1) == nil)
        expect(last.adding(-1)?.adding(1), is: last)
        expect(last.adding(StoredNumber.zero), is: last)
    }

    @Test("Have no next one at the end, and that is no trap")
    func end() throws {
        let last = try require(last)
        expect(try StoredNumber.zero.next(of: "a store").value == 1)
        let error = expect(throws: StorageError.self) { try last.next(of: "a store") }
        expect(error?.code, is: .tooLarge)
        expect(error?.message.contains("a store has the number \(last)"), is: true)
    }
}
