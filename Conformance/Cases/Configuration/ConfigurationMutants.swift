import BrowserSessions
import Foundation

extension Mutant {
    static let configuration: [Mutant] = refusedOptions + takenOptions + locationMutants

    /// The options of a sound reference store, for faults beside them.
    private static func check(
        _ configuration: StorageConfiguration, _ own: [StorageOption] = []
    ) throws(StorageError) {
        try configuration.validate(against: StorageOption.common + own, of: "reference")
    }

    private static let refusedOptions: [Mutant] =
        [
            Mutant(
                "ignores-unknown-options", breaks: "CONFIGURATION-1", says: "no error was thrown",
                unchecked: { configuration throws(StorageError) in
                    var known = configuration
                    let names = StorageOption.common.map(\.name)
                    known.options = known.options.filter { names.contains($0.key) }
                    try check(known)
                    return try ReferenceEngine.open(known)
                }),
            Mutant(
                "names-no-options", breaks: "CONFIGURATION-1", says: "does not name 'durability'",
                unchecked: { configuration throws(StorageError) in
                    let names = StorageOption.common.map(\.name)
                    if let name = configuration.options.keys.first(where: { !names.contains($0) }) {
                        throw StorageError(.invalidConfiguration, "no option '\(name)'")
                    }
                    return try ReferenceEngine.open(configuration)
                }),
            Mutant(
                "takes-wrong-types", breaks: "CONFIGURATION-2",
                says: "a value of the wrong type: expected .invalidConfiguration",
                unchecked: { configuration throws(StorageError) in
                    var right = configuration
                    for option in StorageOption.common where right.options[option.name] != nil {
                        let isWrong = option.valuesOfWrongType.contains(right.value(of: option))
                        if isWrong { right.options[option.name] = nil }
                    }
                    try check(right)
                    return try ReferenceEngine.open(right)
                }),
            Mutant(
                "clamps-values", breaks: "CONFIGURATION-2",
                says: "that it does not allow: expected .invalidConfiguration",
                unchecked: { configuration throws(StorageError) in
                    var right = configuration
                    if case .integer(let limit)? = right.options["maximumStateBytes"] {
                        right.options["maximumStateBytes"] = .integer(min(max(limit, 1), 1 << 30))
                    }
                    try check(right)
                    return try ReferenceEngine.open(right)
                }),
            Mutant(
                "makes-before-it-checks", breaks: "CONFIGURATION-3", says: "something was made",
                unchecked: { configuration throws(StorageError) in
                    try FileSystem.makeDirectories(configuration.location)
                    try check(configuration)
                    return try ReferenceEngine.open(configuration)
                }),
            Mutant(
                "opens-before-it-checks", breaks: "CONFIGURATION-3", says: "was changed",
                unchecked: { configuration throws(StorageError) in
                    if try FileSystem.exists(configuration.location) {
                        let mark = "\(configuration.location)/store.json"
                        try FileSystem.replace(mark, with: try FileSystem.read(mark) + [32])
                    }
                    try check(configuration)
                    return try ReferenceEngine.open(configuration)
                }),
            Mutant(
                "shows-unknown-values", breaks: "CONFIGURATION-4",
                says: "shows what was saved as 's",
                unchecked: { configuration throws(StorageError) in
                    do throws(StorageError) {
                        try check(configuration)
                    } catch {
                        var error = error
                        error.message += ", in \(configuration.options)"
                        throw error
                    }
                    return try ReferenceEngine.open(configuration)
                }),
        ] + secretMutants

    private static let secret = StorageOption(
        "passphrase", .text, default: .text(""), isSecret: true, summary: "a secret")

    private static let secretMutants: [Mutant] = [
        Mutant(
            "shows-its-secret", breaks: "CONFIGURATION-5", says: "an error of an opening",
            options: [secret],
            unchecked: { configuration throws(StorageError) in
                do throws(StorageError) {
                    try check(configuration, [secret])
                    return try openWithoutSecret(configuration)
                } catch {
                    var error = error
                    error.message += " (opened with \(configuration.value(of: secret)))"
                    throw error
                }
            }),
        Mutant(
            "is-its-secret", breaks: "CONFIGURATION-5", says: "the description of a store",
            options: [secret],
            unchecked: { configuration throws(StorageError) in
                try check(configuration, [secret])
                return HoldsItsSecret(
                    base: try openWithoutSecret(configuration),
                    secret: configuration.value(of: secret))
            }),
    ]

    private static func openWithoutSecret(_ configuration: StorageConfiguration)
        throws(StorageError) -> any SessionStorage
    {
        var plain = configuration
        plain.options[secret.name] = nil
        return try ReferenceEngine.open(plain)
    }
}

/// Prints all its fields where it is described, as any structure does.
private struct HoldsItsSecret: StorageDecorator {
    let base: any SessionStorage
    let secret: OptionValue
}
