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
    static let lists: [RequirementCases] = [
        save, restore, state, incognito, recovery, crash, concurrency,
        close, error, limits, configuration, model,
    ].flatMap(\.self)

    /// All requirements, by group and number.
    public static var requirements: [Requirement] { lists.map(\.requirement) }

    /// All cases, by requirement.
    public static var cases: [ConformanceCase] { lists.flatMap(\.cases) }
}
