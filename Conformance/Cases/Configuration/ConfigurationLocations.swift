import BrowserSessions
import Foundation
import StorageEngines

/// CONFIGURATION-10 to 12: the store that a location names.
extension ConformanceSuite {
    @Sendable static func sameConfiguration(_ context: CaseContext) async throws {
        let locations = [try await context.makeLocation(), try await context.makeLocation()]
        let level = context.traits.durability.min() ?? .memory
        let ways: [[String: OptionValue]] = [
            [:], ["durability": .text(level.rawValue), "maximumStateBytes": .integer(5000)],
        ]
        var expected: [[SessionID]] = [[], []]
        for round in 0..<4 {
            for (index, location) in locations.enumerated() {
                try await context.withStore(at: location, options: ways[round % 2]) { store in
                    try requireEqual(
                        try await store.sessions(), expected[index],
                        "the sessions at location \(index + 1), opening \(round + 1)")
                    let window = Plain.window(round * 2 + index, tabs: 0..<2)
                    _ = try await store.save(window.changes)
                    expected[index] = (expected[index] + [window.id]).sorted()
                }
            }
        }
    }

    /// Returns the location in other forms with the same meaning.
    private static func forms(of location: String) -> [(name: String, path: String)] {
        guard location.hasPrefix("/"), let slash = location.lastIndex(of: "/") else { return [] }
        let (folder, last) = (location[..<slash], location[location.index(after: slash)...])
        let here = FileManager.default.currentDirectoryPath
        let steps = here.split(separator: "/").map { _ in ".." }
        return [
            ("a slash at its end", "\(location)/"), ("two slashes at its end", "\(location)//"),
            ("'/.' at its end", "\(location)/."), ("a doubled slash", "\(folder)//\(last)"),
            ("'/./' in it", "\(folder)/./\(last)"),
            ("a relative path", (steps + ["."]).joined(separator: "/") + location),
        ]
    }

    @Sendable static func writtenLocations(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let forms = forms(of: location)
        guard !forms.isEmpty else {
            throw NotTried("the locations of the harness are no absolute paths")
        }
        var expected: [SessionID] = []
        for (name, path) in [("nothing new", location)] + forms {
            try await context.withStore(at: path) { store in
                try requireEqual(
                    try await store.sessions(), expected, "the sessions at a location with \(name)")
                let window = Plain.window(expected.count, tabs: 0..<2)
                _ = try await store.save(window.changes)
                expected.append(window.id)
            }
        }
        try await context.withStore(at: location) {
            try requireEqual(try await $0.sessions(), expected, "the sessions at the location")
        }
    }

    /// Pairs of names that are equal to a program that decodes, trims, or splits its input.
    private static let unusualNames = [
        "a b", "a%20b", "a+b", " a b", "ab", "a#b", "a?create=false", "a&b", "a=b", "a\\b",
        "a'b\"c",
        "-a", "a:b", "~", "ü", "日本語", "🗂 كتاب", "a\tb", "a;b|c>d", "$HOME",
    ]

    @Sendable static func unusualLocations(_ context: CaseContext) async throws {
        let folder = try await context.makeLocation()
        try FileSystem.makeDirectories(folder)
        for (number, name) in unusualNames.enumerated() {
            try await context.withStore(at: "\(folder)/\(name)") { store in
                try requireEqual(
                    try await store.sessions(), [],
                    "the sessions of a new store at '\(name)': another location's")
                _ = try await store.save(Plain.window(number, tabs: 0..<1).changes)
            }
        }
        try requireEqual(
            Set(try FileSystem.contents(of: folder)), Set(unusualNames),
            "the names of the directories")
        for (number, name) in unusualNames.enumerated() {
            try await context.withStore(at: "\(folder)/\(name)") { store in
                try requireEqual(
                    try await store.sessions(), [Plain.session(number)], "the sessions at '\(name)'"
                )
            }
        }
    }
}
