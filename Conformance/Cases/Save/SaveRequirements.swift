extension ConformanceSuite {
    static let save: [RequirementCases] =
        saveWholeSets + saveMeaning + saveRefusals + saveRemovals + saveNumbers + saveReceipts
}
