import BrowserSessions

extension ConformanceSuite {
    static let close: [RequirementCases] = [
        RequirementCases(
            Requirement(.close, 1, .must, "Closing a store twice is no error."),
            CaseBody("close twice") { context in
                let store = try await context.openNew()
                try await store.close()
                do {
                    try await store.close()
                } catch {
                    throw Violation("the second close threw: \(error)")
                }
            })
    ]
}
