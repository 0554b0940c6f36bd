extension BenchResult {
    /// The unusual conditions of a row. Rows of different conditions did different work, so they
    /// never share a table row and are never ranked together.
    struct Conditions: Codable, Hashable, Sendable {
        var cache: Cache?
        /// The number of operations that an open loop starts per second.
        var rate: Double?

        /// The words for titles; `nil` for the usual conditions.
        var words: String? {
            let cacheWords = cache == .warm ? "warm: the page cache could not be dropped" : nil
            let rateWords = rate.map { "open loop, \(Figures.shortest($0)) per second" }
            let words = [cacheWords, rateWords].compactMap(\.self)
            return words.isEmpty ? nil : words.joined(separator: ", ")
        }
    }

    var conditions: Conditions { Conditions(cache: cache, rate: rate) }
}
