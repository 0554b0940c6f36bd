import BrowserSessions
import Foundation
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
        .catches("ignores-unknown-options", says: "no error was thrown", isChecked: false) {
            configuration, open in
            let names = StorageOption.common.map(\.name)
            configuration.options = configuration.options.filter { names.contains($0.key) }
            return try open(configuration.checked())
        }
        .catches("names-no-options", says: "does not name 'durability'", isChecked: false) {
            configuration, open in
            let names = StorageOption.common.map(\.name)
            if let name = configuration.options.keys.first(where: { !names.contains($0) }) {
                throw StorageError(.invalidConfiguration, "no option '\(name)'")
            }
            return try open(configuration)
        }
        SuiteEntry(
            "CONFIGURATION-2", .must,
            """
            A value of the wrong type, or one that the option does not allow, is refused as \
            invalidConfiguration; the message names the option.
            """
        )
        .tried("wrong types", wrongTypes)
        .tried("values out of bounds", forbiddenValues)
        .catches(
            "takes-wrong-types",
            says: "a value of the wrong type: expected .invalidConfiguration", isChecked: false
        ) { configuration, open in
            for option in StorageOption.common where configuration.options[option.name] != nil {
                let isWrong = option.valuesOfWrongType.contains(configuration.value(of: option))
                if isWrong { configuration.options[option.name] = nil }
            }
            return try open(configuration.checked())
        }
        .catches(
            "clamps-values", says: "that it does not allow: expected .invalidConfiguration",
            isChecked: false
        ) { configuration, open in
            if case .integer(let limit)? = configuration.options["maximumStateBytes"] {
                let clamped = min(max(limit, 1), 1 << 30)
                configuration.options["maximumStateBytes"] = .integer(clamped)
            }
            return try open(configuration.checked())
        }
        SuiteEntry(
            "CONFIGURATION-3", .must,
            """
            A configuration that is refused changes no file: no store is made, and one that \
            is there stays as it is.
            """, needs: [.files]
        )
        .tried("every refusal at an absent store", refusedBeforeAnythingIsMade)
        .tried("every refusal at a store", refusedAtStore)
        .catches("makes-before-it-checks", says: "something was made", isChecked: false) {
            configuration, open in
            try FileSystem.makeDirectories(configuration.location)
            return try open(configuration.checked())
        }
        .catches("opens-before-it-checks", says: "was changed", isChecked: false) {
            configuration, open in
            if try FileSystem.exists(configuration.location) {
                let mark = "\(configuration.location)/store.json"
                try FileSystem.replace(mark, with: try FileSystem.read(mark) + [32])
            }
            return try open(configuration.checked())
        }
        SuiteEntry(
            "CONFIGURATION-4", .must,
            """
            No error shows what was given to an unknown option: it may be a secret under a \
            mistyped name.
            """
        )
        .tried("words given to misspelled options", unknownValues)
        .catches("shows-unknown-values", says: "shows what was saved as 's", isChecked: false) {
            configuration, open in
            do throws(StorageError) {
                _ = try configuration.checked()
            } catch {
                var error = error
                error.message += ", in \(configuration.options)"
                throw error
            }
            return try open(configuration)
        }
        SuiteEntry(
            "CONFIGURATION-5", .must,
            "The value of a secret option is in no error, no trait and no description.",
            needs: [.secretOptions], proves: .secretOptions
        )
        .tried("every secret option", secretValues)
        .catches(
            "shows-its-secret", says: "an error of an opening", options: [.secret], isChecked: false
        ) { configuration, open in
            let secret = configuration.value(of: .secret)
            do throws(StorageError) {
                var plain = try configuration.checked(with: .secret)
                plain.options[StorageOption.secret.name] = nil
                return try open(plain)
            } catch {
                var error = error
                error.message += " (opened with \(secret))"
                throw error
            }
        }
        .catches(
            "is-its-secret", says: "the description of a store", options: [.secret],
            isChecked: false
        ) { configuration, open in
            let secret = configuration.value(of: .secret)
            var plain = try configuration.checked(with: .secret)
            plain.options[StorageOption.secret.name] = nil
            return HoldsItsSecret(base: try open(plain), secret: secret)
        }
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
        .catches("ignores-durability", says: "the default of the traits with") {
            configuration, open in
            configuration.options["durability"] = nil
            return try open(configuration)
        }
        .catches("knows-one-level", says: "which the traits say can be had") {
            configuration, open in
            guard configuration.defaultDurability == .powerLoss else {
                throw StorageError(.unsupported, "this store knows one level only")
            }
            return try open(configuration)
        }
        SuiteEntry(
            "CONFIGURATION-7", .must,
            """
            With 'create' true, or without a word of it, a store is made where there is none; \
            with any value, one that is there is opened and keeps what is in it.
            """
        )
        .tried("true, false and absent", creating)
        .catches("create-starts-over", says: "is absent") { configuration, open in
            if configuration.options["create"] == .bool(true) {
                try FileSystem.remove(configuration.location)
            }
            return try open(configuration)
        }
        .catches("fills-empty-directories", says: "no error was thrown") { configuration, open in
            if try FileSystem.exists(configuration.location) {
                configuration.options["create"] = nil
            }
            return try open(configuration)
        }
        SuiteEntry(
            "CONFIGURATION-8", .must,
            """
            A changed option is taken up at the next opening, an absent one has its default \
            again, and what was saved stays.
            """, needs: [.reopening]
        )
        .tried("the common options", changedCommonOptions)
        .tried("the backend's own options", timeLimit: .seconds(300), changedOwnOptions)
        .catches("options-make-a-store", says: "the session is absent") { configuration, open in
            if configuration.maximumStateBytes < 100 { configuration.location += "/small" }
            return try open(configuration)
        }
        .catches(.firstOptionsStay())
        SuiteEntry(
            "CONFIGURATION-9", .must,
            """
            With every value that an option allows, its default among them, a store keeps \
            what it is given; a value that cannot be had on this machine is refused.
            """
        )
        .tried("every value", timeLimit: .seconds(300), allowedValues)
        .catches(
            "fast-means-careless", says: "with speed = text(\"fast\")", options: [.speed],
            isChecked: false
        ) { configuration, open in
            let store = try open(configuration.checked(with: .speed))
            guard configuration.value(of: .speed) == .text("fast") else { return store }
            return store.savingEach { if case .putState = $0 { nil } else { $0 } }
        }
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
        .catches("options-name-the-store", says: "the sessions at location") {
            configuration, open in
            if !configuration.options.isEmpty {
                configuration.location += "/\(configuration.defaultDurability.rawValue)"
            }
            return try open(configuration)
        }
        .catches(.everyOpeningItsOwn())
        SuiteEntry(
            "CONFIGURATION-11", .must,
            """
            A location that is written in another way, relative, with slashes at its end or \
            doubled ones, names the same store.
            """, needs: [.files]
        )
        .tried("one location in several forms", writtenLocations)
        .catches("takes-slashes-for-names", says: "with a slash at its end") {
            configuration, open in
            if configuration.location.hasSuffix("/") { configuration.location += "default" }
            return try open(configuration)
        }
        SuiteEntry(
            "CONFIGURATION-12", .must,
            """
            Locations with spaces, percent signs, letters of any script and other signs are \
            taken as they are.
            """, needs: [.files]
        )
        .tried("unusual names next to each other", unusualLocations)
        .catches("decodes-locations", says: "another location's") { configuration, open in
            let decoded = configuration.location.removingPercentEncoding
            configuration.location = decoded ?? configuration.location
            return try open(configuration)
        }
        SuiteEntry(
            "CONFIGURATION-15", .must,
            """
            What is in a store can be read and written by its owner alone: files have the rights 0600 and \
            folders 0700, also what was set aside.
            """, needs: [.files]
        )
        .tried("a store of several runs, and a damaged one", OwnRights.areGiven)
        .catches("writes-for-everybody", says: "has the rights") { configuration, open in
            let store = try open(configuration)
            try FileSystem.makeDirectories("\(configuration.location)/cache")
            _ = chmod("\(configuration.location)/cache", 0o755)
            return store
        }
    }
}
