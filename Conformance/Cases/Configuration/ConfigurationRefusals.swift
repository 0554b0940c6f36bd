import BrowserSessions
import StorageEngines

/// CONFIGURATION-1 to 5: configurations that are refused, and what must not be disclosed.
extension ConformanceSuite {
    /// An option with a value that no store may accept.
    private struct Refusal {
        var option: StorageOption
        var name: String
        var value: OptionValue
        var what: String

        static func misspelled(_ harness: any StorageHarness) -> [Refusal] {
            let options = harness.everyOption
            return options.flatMap { option in
                option.misspellings(besides: options.map(\.name)).map {
                    Refusal(
                        option: option, name: $0, value: option.defaultValue,
                        what: "the option '\($0)'")
                }
            }
        }

        static func wrongTypes(_ harness: any StorageHarness) -> [Refusal] {
            all(\.valuesOfWrongType, "of the wrong type", harness)
        }

        static func forbidden(_ harness: any StorageHarness) -> [Refusal] {
            all(\.forbiddenValues, "that it does not allow", harness)
        }

        private static func all(
            _ values: (StorageOption) -> [OptionValue], _ why: String, _ harness: any StorageHarness
        ) -> [Refusal] {
            harness.everyOption.flatMap { option in
                values(option).map {
                    let what = "'\(option.name)' with a value \(why)"
                    return Refusal(option: option, name: option.name, value: $0, what: what)
                }
            }
        }

        static func all(_ harness: any StorageHarness) -> [Refusal] {
            misspelled(harness) + wrongTypes(harness) + forbidden(harness)
        }

        @discardableResult
        func require(_ context: CaseContext, at location: String) async throws -> StorageError {
            try await requireError(.invalidConfiguration, from: what) {
                _ = try await context.open(location, options: [name: value])
            }
        }
    }

    @Sendable static func misspelledOptions(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        for refusal in Refusal.misspelled(context.harness) {
            let error = try await refusal.require(context, at: location)
            for name in [refusal.name, refusal.option.name] {
                try require(
                    error.message.contains(name),
                    "\(refusal.what): the message does not name '\(name)'")
            }
        }
    }

    @Sendable static func wrongTypes(_ context: CaseContext) async throws {
        try await requireNamed(Refusal.wrongTypes(context.harness), context)
    }

    @Sendable static func forbiddenValues(_ context: CaseContext) async throws {
        try await requireNamed(Refusal.forbidden(context.harness), context)
    }

    private static func requireNamed(_ refusals: [Refusal], _ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        for refusal in refusals {
            let error = try await refusal.require(context, at: location)
            try require(
                error.message.contains(refusal.name),
                "\(refusal.what): the message does not name the option")
        }
    }

    @Sendable static func refusedBeforeAnythingIsMade(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        for refusal in Refusal.all(context.harness) {
            try await refusal.require(context, at: location)
            try require(
                try !FileSystem.exists(location),
                "\(refusal.what) was refused, and something was made")
        }
    }

    @Sendable static func refusedAtStore(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let window = Plain.window(1, tabs: 0..<3)
        try await context.withStore(at: location) { _ = try await $0.save(window.changes) }
        let before = try LocationFiles(location)
        for refusal in Refusal.all(context.harness) {
            try await refusal.require(context, at: location)
            try before.requireSame(at: location, "\(refusal.what) was refused")
        }
    }

    @Sendable static func unknownValues(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var canaries = ContentCanaries(seed: context.seed)
        for refusal in Refusal.misspelled(context.harness) {
            let options = [refusal.name: OptionValue.text(canaries.word("secret"))]
            let error = try await storageError(from: refusal.what) {
                _ = try await context.open(location, options: options)
            }
            try canaries.requireAbsence(in: error, "the error about \(refusal.what)")
        }
    }

    @Sendable static func secretValues(_ context: CaseContext) async throws {
        for option in context.harness.options where option.isSecret {
            var canaries = ContentCanaries(seed: context.seed)
            let value = OptionValue.text(canaries.word("secret"))
            let subject = "'\(option.name)'"
            let given = [option.name: value]
            let location = try await context.makeLocation()
            for more in [["create": OptionValue.bool(false)], ["no such option": .bool(true)]] {
                let options = given.merging(more) { $1 }
                let error = try await storageError(from: "a refused opening with \(subject)") {
                    _ = try await context.open(location, options: options)
                }
                try canaries.requireAbsence(in: error, "an error of an opening with \(subject)")
            }
            do {
                let store = try await context.open(location, options: given)
                try await requireSilence(store, of: canaries, subject)
            } catch let error as StorageError {
                // The form of the secret is the backend's own.
                try canaries.requireAbsence(in: error, "the error of an opening with \(subject)")
            }
        }
    }

    /// Requires that neither the store nor its errors show the words; closes it.
    private static func requireSilence(
        _ store: any SessionStorage, of canaries: ContentCanaries, _ subject: String
    ) async throws {
        try canaries.requireAbsence(in: store.traits, "the traits of a store with \(subject)")
        // As a log would show it: what is behind a description may well hold the secret.
        let texts = ["\(store)", String(reflecting: store)]
        try canaries.requireAbsence(in: texts, "the description of a store with \(subject)")
        let report = try await store.check()
        try canaries.requireAbsence(in: report, "the report of a store with \(subject)")
        try await store.close()
        for call in OrdinaryCall.all(about: SessionSnapshot(id: Plain.session(1))) {
            let error = try await storageError(from: "\(call.name) after close") {
                try await call.run(store)
            }
            try canaries.requireAbsence(in: error, "the error of \(call.name) with \(subject)")
        }
    }
}
