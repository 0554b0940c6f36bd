import Expectations

@testable import StorageConformance

@Suite("The search for private bytes")
struct ByteSearchTests {
    @Test("finds what every place of every short text says")
    func short() {
        func texts(_ length: Int) -> [[UInt8]] {
            (0..<1 << length).map { bits in (0..<length).map { UInt8(bits >> $0 & 1) } }
        }
        for wanted in (1...4).flatMap(texts) {
            for text in (0...7).flatMap(texts) {
                let isThere = text.indices.contains { text[$0...].starts(with: wanted) }
                expect(text.holds(wanted), is: isThere, "\(wanted) in \(text)")
            }
        }
        expect(![1, 2].holds([]))
    }
}
