import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

extension RequirementGroup {
    /// Stores of a configuration: options have their effect, and anything unknown is refused.
    public static let configuration = RequirementGroup(
        "CONFIGURATION",
        """
        Stores that a configuration names: options do what they say, and what is unknown is refused.
        """)
}

extension ConformanceSuite {
    static let configuration: [SuiteEntry] =
        configurationRefusals + configurationOptions + configurationLocations

    @SuiteBuilder private static var configurationRefusals: [SuiteEntry] {
        SuiteEntry(
            "CONFIGURATION-1", .must,
            """
            An option that the backend does not know is refused as invalidConfiguration; the \
            message names it and the one that was probably meant.
            """
        )
        .tried("every option misspelled", misspelledOptions)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "ignores-unknown-options", says: "no error was thrown",
                    unchecked: { configuration throws(StorageError) in
                        var known = configuration
                        let names = StorageOption.common.map(\.name)
                        known.options = known.options.filter { names.contains($0.key) }
                        try FaultyBackend.check(known)
                        return try ReferenceEngine.open(known)
                    }),
                FaultyBackend(
                    "names-no-options", says: "does not name 'durability'",
                    unchecked: { configuration throws(StorageError) in
                        let names = StorageOption.common.map(\.name)
                        if let name = configuration.options.keys.first(where: {
                            !names.contains($0)
                        }) {
                            throw StorageError(.invalidConfiguration, "no option '\(name)'")
                        }
                        return try ReferenceEngine.open(configuration)
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-2", .must,
            """
            A value of the wrong type, or one that the option does not allow, is refused as \
            invalidConfiguration; the message names the option.
            """
        )
        .tried("wrong types", wrongTypes)
        .tried("values out of bounds", forbiddenValues)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "takes-wrong-types",
                    says: "a value of the wrong type: expected .invalidConfiguration",
                    unchecked: { configuration throws(StorageError) in
                        var right = configuration
                        for option in StorageOption.common where right.options[option.name] != nil {
                            let isWrong = option.valuesOfWrongType.contains(right.value(of: option))
                            if isWrong { right.options[option.name] = nil }
                        }
                        try FaultyBackend.check(right)
                        return try ReferenceEngine.open(right)
                    }),
                FaultyBackend(
                    "clamps-values", says: "that it does not allow: expected .invalidConfiguration",
                    unchecked: { configuration throws(StorageError) in
                        var right = configuration
                        if case .integer(let limit)? = right.options["maximumStateBytes"] {
                            right.options["maximumStateBytes"] = .integer(
                                min(max(limit, 1), 1 << 30))
                        }
                        try FaultyBackend.check(right)
                        return try ReferenceEngine.open(right)
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-3", .must,
            """
            A configuration that is refused changes no file: no store is made, and one that \
            is there stays as it is.
            """, needs: [.files]
        )
        .tried("every refusal at an absent store", refusedBeforeAnythingIsMade)
        .tried("every refusal at a store", refusedAtStore)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "makes-before-it-checks", says: "something was made",
                    unchecked: { configuration throws(StorageError) in
                        try FileSystem.makeDirectories(configuration.location)
                        try FaultyBackend.check(configuration)
                        return try ReferenceEngine.open(configuration)
                    }),
                FaultyBackend(
                    "opens-before-it-checks", says: "was changed",
                    unchecked: { configuration throws(StorageError) in
                        if try FileSystem.exists(configuration.location) {
                            let mark = "\(configuration.location)/store.json"
                            try FileSystem.replace(mark, with: try FileSystem.read(mark) + [32])
                        }
                        try FaultyBackend.check(configuration)
                        return try ReferenceEngine.open(configuration)
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-4", .must,
            """
            No error shows what was given to an unknown option: it may be a secret under a \
            mistyped name.
            """
        )
        .tried("words given to misspelled options", unknownValues)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "shows-unknown-values", says: "shows what was saved as 's",
                    unchecked: { configuration throws(StorageError) in
                        do throws(StorageError) {
                            try FaultyBackend.check(configuration)
                        } catch {
                            var error = error
                            error.message += ", in \(configuration.options)"
                            throw error
                        }
                        return try ReferenceEngine.open(configuration)
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-5", .must,
            "The value of a secret option is in no error, no trait and no description.",
            needs: [.secretOptions], proves: .secretOptions
        )
        .tried("every secret option", secretValues)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "shows-its-secret", says: "an error of an opening",
                    options: [FaultyBackend.secret],
                    unchecked: { configuration throws(StorageError) in
                        do throws(StorageError) {
                            try FaultyBackend.check(configuration, [FaultyBackend.secret])
                            return try FaultyBackend.openWithoutSecret(configuration)
                        } catch {
                            var error = error
                            error.message +=
                                " (opened with \(configuration.value(of: FaultyBackend.secret)))"
                            throw error
                        }
                    }),
                FaultyBackend(
                    "is-its-secret", says: "the description of a store",
                    options: [FaultyBackend.secret],
                    unchecked: { configuration throws(StorageError) in
                        try FaultyBackend.check(configuration, [FaultyBackend.secret])
                        return HoldsItsSecret(
                            base: try FaultyBackend.openWithoutSecret(configuration),
                            secret: configuration.value(of: FaultyBackend.secret))
                    }))
        #endif
    }

    @SuiteBuilder private static var configurationOptions: [SuiteEntry] {
        SuiteEntry(
            "CONFIGURATION-6", .must,
            """
            A save that names no level reaches at least that of the option 'durability', and \
            the traits name it; a level that the store cannot reach is refused.
            """
        )
        .tried("every level", defaultLevels)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "ignores-durability", says: "the default of the traits with",
                    taking: { configuration throws(StorageError) in
                        configuration.options["durability"] = nil
                    }),
                FaultyBackend(
                    "knows-one-level", says: "which the traits say can be had",
                    opening: { configuration throws(StorageError) in
                        guard configuration.defaultDurability == .powerLoss else {
                            throw StorageError(.unsupported, "this store knows one level only")
                        }
                        return try ReferenceEngine.open(configuration)
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-7", .must,
            """
            With 'create' true, or without a word of it, a store is made where there is none; \
            with any value, one that is there is opened and keeps what is in it.
            """
        )
        .tried("true, false and absent", creating)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "create-starts-over", says: "is absent",
                    opening: { configuration throws(StorageError) in
                        if configuration.options["create"] == .bool(true) {
                            try FileSystem.remove(configuration.location)
                        }
                        return try ReferenceEngine.open(configuration)
                    }),
                FaultyBackend(
                    "fills-empty-directories", says: "no error was thrown",
                    taking: { configuration throws(StorageError) in
                        if try FileSystem.exists(configuration.location) {
                            configuration.options["create"] = nil
                        }
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-8", .must,
            """
            A changed option is taken up at the next opening, an absent one has its default \
            again, and what was saved stays.
            """, needs: [.reopening]
        )
        .tried("the common options", changedCommonOptions)
        .tried("the backend's own options", timeLimit: .seconds(300), changedOwnOptions)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "options-make-a-store", says: "the session is absent",
                    taking: { configuration throws(StorageError) in
                        if configuration.maximumStateBytes < 100 {
                            configuration.location += "/small"
                        }
                    }),
                FaultyBackend.firstOptionsStay())
        #endif
        SuiteEntry(
            "CONFIGURATION-9", .must,
            """
            With every value that an option allows, its default among them, a store keeps \
            what it is given; a value that cannot be had on this machine is refused.
            """
        )
        .tried("every value", timeLimit: .seconds(300), allowedValues)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "fast-means-careless", says: "with speed = text(\"fast\")",
                    options: [FaultyBackend.speed],
                    unchecked: { configuration throws(StorageError) in
                        try configuration.validate(
                            against: StorageOption.common + [FaultyBackend.speed], of: "reference")
                        let base = try ReferenceEngine.open(configuration)
                        guard configuration.value(of: FaultyBackend.speed) == .text("fast") else {
                            return base
                        }
                        return AlteredStorage.changing(base) { changes in
                            let kept = changes.changes.filter {
                                if case .putState = $0 { false } else { true }
                            }
                            return changes.replacing(kept)
                        }
                    }))
        #endif
    }

    @SuiteBuilder private static var configurationLocations: [SuiteEntry] {
        SuiteEntry(
            "CONFIGURATION-10", .must,
            """
            The same location and options name the same store at every opening; another \
            location names another.
            """, needs: [.reopening]
        )
        .tried("two locations by turns", sameConfiguration)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "options-name-the-store", says: "the sessions at location",
                    taking: { configuration throws(StorageError) in
                        if !configuration.options.isEmpty {
                            configuration.location += "/\(configuration.defaultDurability.rawValue)"
                        }
                    }),
                FaultyBackend.everyOpeningItsOwn())
        #endif
        SuiteEntry(
            "CONFIGURATION-11", .must,
            """
            A location that is written in another way, relative, with slashes at its end or \
            doubled ones, names the same store.
            """, needs: [.files]
        )
        .tried("one location in several forms", writtenLocations)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "takes-slashes-for-names", says: "with a slash at its end",
                    taking: { configuration throws(StorageError) in
                        if configuration.location.hasSuffix("/") {
                            configuration.location += "default"
                        }
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-12", .must,
            """
            Locations with spaces, percent signs, letters of any script and other signs are \
            taken as they are.
            """, needs: [.files]
        )
        .tried("unusual names next to each other", unusualLocations)
        #if FaultyBackends
            .catches(
                FaultyBackend(
                    "decodes-locations", says: "another location's",
                    taking: { configuration throws(StorageError) in
                        let decoded = configuration.location.removingPercentEncoding
                        configuration.location = decoded ?? configuration.location
                    }))
        #endif
        SuiteEntry(
            "CONFIGURATION-15", .must,
            """
            What is in a store can be read and written by its owner alone: files have the rights 0600 and \
            folders 0700, also what was set aside.
            """, needs: [.files]
        )
        .tried("a store of several runs, and a damaged one", OwnRights.areGiven)
        #if FaultyBackends
            .catches(
                FaultyBackend("writes-for-everybody", says: "has the rights") {
                    configuration throws(StorageError) in
                    let store = try ReferenceEngine.open(configuration)
                    try FileSystem.makeDirectories("\(configuration.location)/cache")
                    _ = chmod("\(configuration.location)/cache", 0o755)
                    return store
                })
        #endif
    }
}
