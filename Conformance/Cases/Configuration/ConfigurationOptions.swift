import BrowserSessions
import StorageEngines

/// CONFIGURATION-6 to 9: options that are accepted.
extension ConformanceSuite {
    @Sendable static func defaultLevels(_ context: CaseContext) async throws {
        let best = context.traits.durability.max() ?? .memory
        for level in Durability.allCases {
            let subject = "with 'durability' \(level.rawValue)"
            do {
                let store = try await context.openNew(
                    options: ["durability": .text(level.rawValue)])
                try requireEqual(
                    store.traits.defaultDurability, level, "the default of the traits \(subject)")
                let receipt = try await store.save(Plain.window(1, tabs: 0..<1).changes)
                try require(
                    receipt.durability >= level,
                    "a save \(subject) reached only \(receipt.durability.rawValue)")
                try await store.close()
            } catch let error as StorageError {
                try require(
                    level > best && [.unsupported, .invalidConfiguration].contains(error.code),
                    "\(subject), which the traits say can be had: \(error)")
            }
        }
    }

    @Sendable static func creating(_ context: CaseContext) async throws {
        let window = Plain.window(1, tabs: 0..<3)
        for way: [String: OptionValue] in [[:], ["create": .bool(true)]] {
            let location = try await context.makeLocation()
            if context.harness.persistence == .files {
                // An empty directory is not a store yet.
                try FileSystem.makeDirectories(location)
                try await requireError(.notFound, from: "an empty directory with 'create' false") {
                    _ = try await context.open(location, options: ["create": .bool(false)])
                }
                try require(
                    try FileSystem.contents(of: location).isEmpty,
                    "with 'create' false something was made in an empty directory")
            }
            try await context.withStore(at: location, options: way) {
                try requireEqual(try await $0.sessions(), [], "the sessions of a new store")
                _ = try await $0.save(window.changes)
            }
            guard context.canReopen else { continue }
            for again: [String: OptionValue] in [
                [:], ["create": .bool(true)], ["create": .bool(false)],
            ] {
                try await context.withStore(at: location, options: again) {
                    try await window.check(in: $0, "a store opened with \(shown(again))")
                }
            }
        }
    }

    private static func shown(_ options: [String: OptionValue]) -> String {
        guard let create = options["create"] else { return "no word of 'create'" }
        return "'create' \(create == .bool(true))"
    }

    @Sendable static func changedCommonOptions(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let window = Plain.window(1, tabs: 0..<3)
        let first = [UInt8](repeating: 1, count: 1000)
        try await context.withStore(at: location, options: ["maximumStateBytes": .integer(1000)]) {
            _ = try await $0.save(window.changes)
            _ = try await $0.save(SessionChanges(.putState(first, for: Plain.key(0))))
        }
        for limit in [10, 2000, nil] {
            let lowest = context.traits.durability.min() ?? .memory
            let level = limit == 10 ? lowest : .memory
            var options: [String: OptionValue] = [:]
            options["maximumStateBytes"] = limit.map { .integer($0) }
            options["durability"] = limit.map { _ in .text(level.rawValue) }
            let subject = limit.map { "opened again with a limit of \($0)" } ?? "without options"
            try await context.withStore(at: location, options: options) { store in
                let expected = limit ?? context.traits.maximumStateBytes
                try requireEqual(
                    store.traits.maximumStateBytes, expected, "the limit of the traits, \(subject)")
                try requireEqual(
                    store.traits.defaultDurability,
                    limit == nil ? context.traits.defaultDurability : level,
                    "the default level of the traits, \(subject)")
                try await window.check(in: store, subject)
                // The existing content was legal when it was saved.
                try await requireStates([Plain.key(0): first], in: store, subject)
                try await requireLimit(min(expected, 4000), of: expected, in: store, subject)
            }
        }
    }

    /// Requires that a blob of the size is accepted, and one over the limit is not.
    private static func requireLimit(
        _ size: Int, of limit: Int, in store: any SessionStorage, _ subject: String
    ) async throws {
        let bytes = [UInt8](repeating: 2, count: size)
        try await requireSuccess("a state of \(size) bytes was refused, \(subject)") {
            try await store.save(SessionChanges(.putState(bytes, for: Plain.key(1))))
        }
        guard size == limit else { return }
        try await requireError(.tooLarge, from: "a state of \(size + 1) bytes, \(subject)") {
            _ = try await store.save(SessionChanges(.putState(bytes + [2], for: Plain.key(1))))
        }
    }

    /// Returns the backend's options, each with one value; what a value needs may be missing here.
    private static func ownConfigurations(_ context: CaseContext) -> [(String, OptionValue)] {
        context.harness.options.flatMap { option in option.allowedValues.map { (option.name, $0) } }
    }

    /// The errors for a value that is not available on this machine.
    private static let refusals: [StorageError.Code] = [
        .unsupported, .invalidConfiguration, .keyUnavailable,
    ]

    @Sendable static func allowedValues(_ context: CaseContext) async throws {
        // Levels are the subject of another requirement.
        let common = StorageOption.common.filter { $0.name != "durability" }
            .map { ($0.name, $0.defaultValue) }
        let windows = [
            Plain.window(1, tabs: 0..<20), Plain.window(2, tabs: 30..<34, kind: .incognito),
        ]
        let blob = [UInt8](repeating: 9, count: 3000)
        for (name, value) in common + ownConfigurations(context) {
            let location = try await context.makeLocation()
            let subject = "with \(name) = \(value)"
            let store: any SessionStorage
            do {
                store = try await context.open(location, options: [name: value])
            } catch let error as StorageError {
                let isOwn = context.harness.options.contains { $0.name == name }
                try require(
                    isOwn && refusals.contains(error.code), "\(subject): opening threw \(error)")
                context.note("'\(name)' with one of its values was refused: \(error.code.rawValue)")
                continue
            }
            for window in windows { _ = try await store.save(window.changes) }
            _ = try await store.save(SessionChanges(.putState(blob, for: Plain.key(0))))
            try await requireAll(windows, blob, in: store, subject)
            try await store.close()
            guard context.canReopen else { continue }
            let regular = Array(windows.prefix(1))
            try await context.withStore(at: location, options: [name: value]) {
                try await requireAll(regular, blob, in: $0, "\(subject), opened again")
                try await $0.deleteIncognito()
            }
        }
    }

    private static func requireAll(
        _ windows: [ExpectedSession], _ blob: [UInt8], in store: any SessionStorage,
        _ subject: String
    ) async throws {
        for window in windows { try await window.check(in: store, subject) }
        try await requireStates([Plain.key(0): blob], in: store, subject)
    }

    @Sendable static func changedOwnOptions(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var saved: [ExpectedSession] = []
        for (name, value) in [("create", .bool(true))] + ownConfigurations(context) {
            let subject = "opened with \(name) = \(value)"
            do {
                try await context.withStore(at: location, options: [name: value]) { store in
                    for window in saved { try await window.check(in: store, subject) }
                    let number = saved.count
                    saved.append(Plain.window(number, tabs: number * 5..<number * 5 + 5))
                    _ = try await store.save(saved[number].changes)
                }
            } catch let error as StorageError {
                try require(refusals.contains(error.code), "\(subject): opening threw \(error)")
            }
        }
    }
}
