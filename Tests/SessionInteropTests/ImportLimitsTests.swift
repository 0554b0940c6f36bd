import Expectations
import SessionInterop

struct ImportLimitsTests {
    @Test func everyLimitCanBeGivenAtOnce() {
        let given = ImportLimits(
            maximumFileBytes: 1, maximumUnfolding: 1, maximumStateBytes: 1,
            maximumMetadataBytes: 1, maximumTabs: 1, maximumParts: 1, maximumEntriesPerTab: 1,
            maximumFolderDepth: 1, maximumFiles: 1, maximumSources: 1, maximumProblems: 1)
        expect(Mirror(reflecting: given).children.allSatisfy { $0.value as? Int == 1 })
        expect(ImportLimits(maximumTabs: 100_000), is: ImportLimits())
    }
}
