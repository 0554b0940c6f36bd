import BrowserSessions
extension FaultyBackend {
    /// Remembers the options with which each store was made.
    static func firstOptionsStay() -> FaultyBackend {
        let first = FaultMemory<[String: [String: OptionValue]]>([:])
        return FaultyBackend(
            "first-options-stay", says: "the limit of the traits",
            opening: { configuration in
                var other = configuration
                other.options = first.value[configuration.location] ?? configuration.options
                first.use { [options = other.options] in $0[configuration.location] = options }
                return try ReferenceEngine.open(other)
            })
    }
    /// Counts, and makes a store for each opening.
    static func everyOpeningItsOwn() -> FaultyBackend {
        let openings = FaultMemory(0)
        return FaultyBackend(
            "a-store-for-each-opening", says: "opening 2",
            opening: { configuration in
                var other = configuration
                openings.use { $0 += 1 }
                other.location += "/\(openings.value)"
                return try ReferenceEngine.open(other)
            })
    }
}
