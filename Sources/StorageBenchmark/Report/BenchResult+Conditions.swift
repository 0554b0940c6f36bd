extension BenchResult {
    /// Under what else than the usual conditions a row was measured: rows of different conditions
    /// did different work, so they never stand in one table row and are never ranked together.
    struct Conditions: Codable, Hashable, Sendable {
        var cache: Cache?
        /// Starts per second of an open loop.
        var rate: Double?

        /// What titles say; `nil` for the usual conditions.
        var words: String? {
            let cacheWords = cache == .warm ? "warm: the page cache could not be dropped" : nil
            let rateWords = rate.map { "open loop, \(Figures.shortest($0)) per second" }
            let words = [cacheWords, rateWords].compactMap(\.self)
            return words.isEmpty ? nil : words.joined(separator: ", ")
        }
    }

    var conditions: Conditions { Conditions(cache: cache, rate: rate) }
}
