/// All requirements and cases.
///
/// In a test of any package:
///
/// ```swift
/// @Test(arguments: ConformanceSuite.cases)
/// func conforms(_ requirement: ConformanceCase) async throws {
///     try await requirement.check(BackendHarness(.mine))
/// }
/// ```
public enum ConformanceSuite {
    /// The groups, in the order of the reports.
    static let groups: [SuiteGroup] = [
        SuiteGroup(.save, save), SuiteGroup(.restore, restore),
        SuiteGroup(.structure, structure), SuiteGroup(.state, state),
        SuiteGroup(.incognito, incognito + incognitoResidue + incognitoCopies),
        SuiteGroup(.erase, eraseFiles + eraseSessions + forgetting),
        SuiteGroup(.recovery, recovery),
        SuiteGroup(.crash, crash),
        SuiteGroup(.power, power + powerAftermath + powerOnBadDisks + powerReading),
        SuiteGroup(.fault, fault), SuiteGroup(.concurrency, concurrency),
        SuiteGroup(.fence, fence), SuiteGroup(.shared, shared), SuiteGroup(.close, close),
        SuiteGroup(.error, error), SuiteGroup(.limits, limits),
        SuiteGroup(.configuration, configuration),
        SuiteGroup(.read, read),
        SuiteGroup(.backup, backup),
        SuiteGroup(.remove, remove), SuiteGroup(.model, model),
    ]

    static let entries: [SuiteEntry] = groups.flatMap(\.entries)

    /// All requirements, by group and number.
    public static var requirements: [Requirement] { entries.map(\.requirement) }

    /// All cases, by requirement.
    public static var cases: [ConformanceCase] { entries.flatMap(\.cases) }
}

extension FaultyBackend {
    /// Every faulty backend of the suite.
    public static let all: [FaultyBackend] = ConformanceSuite.entries.flatMap(\.faultyBackends)
}

extension RequirementGroup: CaseIterable {
    /// All groups, in the order of the suite.
    public static var allCases: [RequirementGroup] { ConformanceSuite.groups.map(\.group) }
}

/// A group with everything that belongs to it.
struct SuiteGroup: Sendable {
    let group: RequirementGroup
    let entries: [SuiteEntry]

    init(_ group: RequirementGroup, _ entries: [SuiteEntry]) {
        self.group = group
        self.entries = entries
        for entry in entries {
            precondition(
                entry.requirement.id.hasPrefix("\(group.rawValue)-"),
                "\(entry.requirement.id) stands in the group \(group.rawValue)")
        }
    }
}
