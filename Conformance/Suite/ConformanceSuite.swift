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
        .save, .restore, .state, .incognito, .erase, .recovery, .crash, .power,
        .fault, .concurrency, .fence, .shared, .close, .error, .limits, .configuration, .model,
    ]

    static let entries: [SuiteEntry] = groups.flatMap(\.entries)

    /// All requirements, by group and number.
    public static var requirements: [Requirement] { entries.map(\.requirement) }

    /// All cases, by requirement.
    public static var cases: [ConformanceCase] { entries.flatMap(\.cases) }
}
