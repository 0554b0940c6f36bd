import BrowserSessions
import Foundation

extension Mutant {
    private static let speed = StorageOption(
        "speed", .choice(["slow", "fast"]), default: .text("slow"), summary: "how it saves")

    static let takenOptions: [Mutant] = [
        Mutant(
            "ignores-durability", breaks: "CONFIGURATION-6", says: "the default of the traits with",
            opening: { configuration throws(StorageError) in
                var other = configuration
                other.options["durability"] = nil
                return try ReferenceEngine.open(other)
            }),
        Mutant(
            "knows-one-level", breaks: "CONFIGURATION-6", says: "that it can be had",
            opening: { configuration throws(StorageError) in
                guard configuration.defaultDurability == .powerLoss else {
                    throw StorageError(.unsupported, "this store knows one level only")
                }
                return try ReferenceEngine.open(configuration)
            }),
        Mutant(
            "create-begins-anew", breaks: "CONFIGURATION-7", says: "is absent",
            opening: { configuration throws(StorageError) in
                if configuration.options["create"] == .bool(true) {
                    try FileSystem.remove(configuration.location)
                }
                return try ReferenceEngine.open(configuration)
            }),
        Mutant(
            "fills-empty-directories", breaks: "CONFIGURATION-7", says: "no error was thrown",
            opening: { configuration throws(StorageError) in
                var other = configuration
                if try FileSystem.exists(configuration.location) { other.options["create"] = nil }
                return try ReferenceEngine.open(other)
            }),
        firstOptionsStay(),
        Mutant(
            "options-make-a-store", breaks: "CONFIGURATION-8", says: "the session is absent",
            opening: { configuration throws(StorageError) in
                var other = configuration
                if configuration.maximumStateBytes < 100 { other.location += "/small" }
                return try ReferenceEngine.open(other)
            }),
        Mutant(
            "fast-means-careless", breaks: "CONFIGURATION-9", says: "with speed = text(\"fast\")",
            options: [speed],
            unchecked: { configuration throws(StorageError) in
                try configuration.validate(against: StorageOption.common + [speed], of: "reference")
                let base = try ReferenceEngine.open(configuration)
                guard configuration.value(of: speed) == .text("fast") else { return base }
                return AlteredStorage.changing(base) { changes in
                    let kept = changes.changes.filter {
                        if case .putState = $0 { false } else { true }
                    }
                    return changes.replacing(kept)
                }
            }),
    ]

    /// Remembers the options with which each store was made.
    private static func firstOptionsStay() -> Mutant {
        let first = FaultMemory<[String: [String: OptionValue]]>([:])
        return Mutant(
            "first-options-stay", breaks: "CONFIGURATION-8", says: "the limit of the traits",
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

    static let locationMutants: [Mutant] = [
        everyOpeningItsOwn(),
        Mutant(
            "options-name-the-store", breaks: "CONFIGURATION-10", says: "the sessions at location",
            opening: { configuration throws(StorageError) in
                var other = configuration
                if !configuration.options.isEmpty {
                    other.location += "/\(configuration.defaultDurability.rawValue)"
                }
                return try ReferenceEngine.open(other)
            }),
        Mutant(
            "takes-slashes-for-names", breaks: "CONFIGURATION-11", says: "with a slash at its end",
            opening: { configuration throws(StorageError) in
                var other = configuration
                if configuration.location.hasSuffix("/") { other.location += "default" }
                return try ReferenceEngine.open(other)
            }),
        Mutant(
            "decodes-locations", breaks: "CONFIGURATION-12", says: "another location's",
            opening: { configuration throws(StorageError) in
                var other = configuration
                let decoded = configuration.location.removingPercentEncoding
                other.location = decoded ?? configuration.location
                return try ReferenceEngine.open(other)
            }),
    ]

    /// Counts, and makes a store for each opening.
    private static func everyOpeningItsOwn() -> Mutant {
        let openings = FaultMemory(0)
        return Mutant(
            "a-store-for-each-opening", breaks: "CONFIGURATION-10", says: "opening 2",
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
