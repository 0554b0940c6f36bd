#if FaultyBackends
    import BrowserSessions
    import Foundation

    extension FaultyBackend {
        static let speed = StorageOption(
            "speed", kind: .choice(["slow", "fast"]), default: .text("slow"),
            summary: "how it saves")

        /// Remembers the options with which each store was made.
        static func firstOptionsStay() -> FaultyBackend {
            let first = FaultMemory<[String: [String: OptionValue]]>([:])
            return FaultyBackend(
                "first-options-stay", says: "the limit of the traits",
                opening: { configuration throws(StorageError) in
                    var other = configuration
                    other.options = first.use { known in
                        let options = known[configuration.location] ?? configuration.options
                        known[configuration.location] = options
                        return options
                    }
                    return try ReferenceEngine.open(other)
                })
        }

        /// Counts, and makes a store for each opening.
        static func everyOpeningItsOwn() -> FaultyBackend {
            let openings = FaultMemory(0)
            return FaultyBackend(
                "a-store-for-each-opening", says: "opening 2",
                opening: { configuration throws(StorageError) in
                    var other = configuration
                    let number = openings.use { count in
                        count += 1
                        return count
                    }
                    other.location += "/\(number)"
                    return try ReferenceEngine.open(other)
                })
        }
    }
#endif
