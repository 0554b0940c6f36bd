/// Text in a form in which case, accents and width make no difference.
struct FoldedText {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Whether the bytes still have capital letters, which are folded while they are compared.
    private let isASCII: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
        (self.bytes, self.isASCII) = (bytes, isASCII)
    }

    /// Whether a folded word is in the text.
    func contains(_ word: [UInt8]) -> Bool {
        guard let first = word.first, word.count <= bytes.count else { return false }
        let capital = isASCII && (97...122).contains(first) ? first - 32 : first
        return word.withUnsafeBufferPointer { word in
            var start = 0
            let last = bytes.count - word.count
            while start <= last {
                let byte = bytes[start]
                if byte == first || byte == capital, matches(word, at: start) { return true }
                start += 1
            }
            return false
        }
    }

    private func matches(_ word: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        for index in word.indices {
            let byte = bytes[start + index]
            let folded = isASCII && byte &- 65 < 26 ? byte | 32 : byte
            if folded != word[index] { return false }
        }
        return true
    }
}
