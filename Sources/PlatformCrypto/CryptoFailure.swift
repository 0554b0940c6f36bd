/// Why the platform's library did not do what was asked.
package enum CryptoFailure: Error, Hashable, CustomStringConvertible {
    /// The bytes were changed, or sealed with another key or another binding.
    case notAuthentic
    /// A key has another length.
    case wrongKeyLength(Int)
    /// The library itself failed, and says why.
    case library(String)

    package var description: String {
        switch self {
        case .notAuthentic: "the bytes were changed, or are not of this key"
        case .wrongKeyLength(let count): "a key of \(count) bytes has the wrong length"
        case .library(let problem): "the platform's crypto library failed: \(problem)"
        }
    }
}
