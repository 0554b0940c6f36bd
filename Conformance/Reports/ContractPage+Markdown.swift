import BrowserSessions

/// The page as it appears in the documentation. Each requirement is a heading, because headings are
/// the only anchors that every Markdown reader makes.
extension ContractPage {
    var markdown: String {
        let groups = RequirementGroup.allCases.flatMap(section)
        return (introduction + reading + running + groups).joined(separator: "\n") + "\n"
    }

    private var introduction: [String] {
        let levels = Requirement.Level.allCases.compactMap { level in
            let count = requirements.count { $0.level == level }
            return count == 0 ? nil : "\(count) *\(level.rawValue)*"
        }
        let cases = requirements.reduce(0) { $0 + $1.cases.count }
        return [
            "# What a backend promises", "",
            "The requirements of session storage: each sentence is a promise that browsers rely on,"
                + " and that the conformance suite tries.",
            "",
            "Revision \(suite.rawValue): \(requirements.count) requirements"
                + " (\(levels.joined(separator: ", "))), tried by \(cases) cases. The sentences are"
                + " the specification; this page is made of them by `make contract`.",
        ]
    }

    private var reading: [String] {
        var lines = ["", "## How to read it", "", "| level | what it means |", "| --- | --- |"]
        lines += Requirement.Level.allCases.map { "| \($0.rawValue) | \($0.explanation) |" }
        lines += [
            "",
            "A requirement may need something that not every store can do. Where a store does not"
                + " claim it, the requirement is *not applicable*, and the report says so. A claim"
                + " is made by the traits of the open store or by the harness, and is believed:"
                + " what is claimed is tried.",
            "", "| needs | what it means |", "| --- | --- |",
        ]
        lines += Capability.allCases.map { "| \($0.rawValue) | \($0.explanation) |" }
        lines += [
            "",
            "A revision is frozen with the release that brings it. From then on, its requirements"
                + " never change their meaning: \"conformant to \(suite.rawValue)\" means the same"
                + " for ever. Numbers are not used twice and may have gaps. What is marked"
                + " *provisional* is tried and reported, and does not count yet.",
        ]
        return lines
    }

    private var running: [String] {
        [
            "", "## How to try a backend", "",
            "In a package of your own every case is a named test:", "", "```swift",
            "import StorageConformance", "import Testing", "",
            "@Test(arguments: ConformanceSuite.cases)",
            "func conforms(_ testCase: ConformanceCase) async throws {",
            "    try await testCase.check(BackendHarness(.mine))", "}", "```", "",
            "`storagecheck init MyBackend` writes such a package, with a backend that has yet to"
                + " learn everything. `storagecheck --storage sqlite:///path/to/new/folder` tries a"
                + " backend that the tool knows, `--requirement SAVE-3` one sentence of this page.",
        ]
    }

    private func section(_ group: RequirementGroup) -> [String] {
        let entries = requirements.filter { $0.group == group }
        let lines = ["", "## \(group.rawValue)", "", group.explanation]
        guard !entries.isEmpty else { return lines + ["", "No requirements yet."] }
        return lines + entries.flatMap(\.markdown)
    }
}

extension ContractPage.Entry {
    fileprivate var markdown: [String] {
        var marks = [level.rawValue]
        if isProvisional { marks.append("provisional") }
        if !needs.isEmpty {
            marks.append("needs " + needs.map(\.rawValue).joined(separator: ", "))
        }
        let tried = cases.map { $0.escapedForMarkdown() }.joined(separator: "; ")
        return [
            "", "### \(id)", "", statement.escapedForMarkdown(keeping: "`"), "",
            "*\(marks.joined(separator: "; "))*. Tried with: \(tried).",
        ]
    }
}
