import Foundation

/// The failures that are known and accepted, each with its reason.
///
/// A baseline is either a JSON object of ids and reasons, or lines:
///
/// ```text
/// # Comments and empty lines are skipped.
/// SAVE-3 a set over three sessions: the engine has no transactions yet
/// [sqlite] CRASH-2: waits for the next release
/// [sqlite] POWER-3?: seen once in a thousand cuts
/// ```
///
/// An id names a case or a requirement, for one backend if the backend's name precedes it in
/// brackets. Each entry needs a reason. An entry that no longer fails, or names nothing, is itself
/// a failure, so that the list can only shrink. A question mark after the id marks a rare failure:
/// a run that does not see it is as good.
public struct Baseline: Hashable, Sendable {
    /// One expected failure.
    public struct Entry: Hashable, Sendable {
        /// The backend; `nil` for all backends.
        public let backend: String?
        /// The id of a case or of a requirement.
        public let id: String
        /// The reason that the failure is accepted; never empty.
        public let reason: String
        /// Whether a run may pass without seeing the failure.
        public let isRare: Bool

        func concerns(_ testCase: ConformanceCase, of backend: String) -> Bool {
            applies(to: backend) && (id == testCase.id || id == testCase.requirement.id)
        }

        func applies(to backend: String) -> Bool { self.backend == nil || self.backend == backend }
    }

    /// An error that says that the text is not a valid baseline.
    public struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// The expected failures in the order of the lines, or of the keys of a JSON object.
    public let entries: [Entry]

    /// A baseline that expects no failures.
    public static let empty = Baseline(entries: [])

    init(entries: [Entry]) { self.entries = entries }

    /// Returns the entry that expects the case to fail for a backend; `nil` if there is none.
    ///
    /// ```swift
    /// @Test(arguments: ConformanceSuite.cases)
    /// func conforms(_ testCase: ConformanceCase) async throws {
    ///     let known = baseline.entry(for: testCase, of: "mine")
    ///     try await withKnownIssue(isIntermittent: known?.isRare == true) {
    ///         try await testCase.check(BackendHarness(.mine))
    ///     } when: { known != nil }
    /// }
    /// ```
    public func entry(for testCase: ConformanceCase, of backend: String) -> Entry? {
        entries.first { $0.concerns(testCase, of: backend) }
    }

    /// Reads the text of a baseline file.
    public init(parsing text: String) throws {
        let isJSON = text.first { !$0.isWhitespace } == "{"
        let pairs = try isJSON ? Self.pairs(inJSON: text) : Self.pairs(inLines: text)
        var entries: [Entry] = []
        for (key, reason) in pairs {
            let entry = try Self.entry(key, reason: reason)
            guard !entries.contains(where: { $0.id == entry.id && $0.backend == entry.backend })
            else { throw Mistake(description: "the baseline has '\(key)' twice") }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static func pairs(inJSON text: String) throws -> [(String, String)] {
        do {
            let object = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            return object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        } catch {
            throw Mistake(description: "the baseline is not a JSON object of ids and reasons")
        }
    }

    private static func pairs(inLines text: String) -> [(String, String)] {
        let known = ConformanceSuite.cases.map(\.id).filter { $0.contains(":") }
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
            if let id = known.first(where: { line.contains("\($0):") || line.contains("\($0)?:") }),
                let range = line.range(of: "\(id):") ?? line.range(of: "\(id)?:")
            {
                let key = line[..<range.upperBound].dropLast()
                return (String(key), String(line[range.upperBound...]))
            }
            guard let colon = line.firstIndex(of: ":") else { return (line, "") }
            return (String(line[..<colon]), String(line[line.index(after: colon)...]))
        }
    }

    private static func entry(_ key: String, reason: String) throws -> Entry {
        let reason = reason.trimmingCharacters(in: .whitespaces)
        guard !reason.isEmpty else {
            throw Mistake(description: "the baseline has no reason for '\(key)'")
        }
        var id = key.trimmingCharacters(in: .whitespaces)
        var backend: String?
        if id.hasPrefix("["), let end = id.firstIndex(of: "]") {
            backend = String(id[id.index(after: id.startIndex)..<end])
            id = id[id.index(after: end)...].trimmingCharacters(in: .whitespaces)
        }
        let isRare = id.hasSuffix("?")
        if isRare { id = id.dropLast().trimmingCharacters(in: .whitespaces) }
        return Entry(backend: backend, id: id, reason: reason, isRare: isRare)
    }
}

extension Baseline {
    /// Returns the results as the baseline changes them, and the problems of the baseline.
    func apply(to results: [CaseResult], of backend: String) -> ([CaseResult], [String]) {
        var results = results
        var problems: [String] = []
        let known = ConformanceSuite.cases.flatMap { [$0.id, $0.requirement.id] }
        for entry in entries where entry.applies(to: backend) {
            guard known.contains(entry.id) else {
                problems.append("the baseline names '\(entry.id)', which does not exist")
                continue
            }
            let places = results.indices.filter {
                entry.concerns(results[$0].testCase, of: backend)
            }
            let failed = places.filter { results[$0].verdict.isFailure }
            for place in failed {
                guard case .failed(let message) = results[place].verdict else { continue }
                results[place].verdict = .expectedFailure(reason: entry.reason, message: message)
            }
            guard failed.isEmpty, !entry.isRare else { continue }
            for place in places where results[place].verdict == .passed {
                results[place].verdict = .unexpectedPass(reason: entry.reason)
                problems.append("the baseline expects '\(results[place].testCase.id)' to fail")
            }
        }
        return (results, problems)
    }
}

extension Verdict {
    var isFailure: Bool {
        if case .failed = self { true } else { false }
    }
}
