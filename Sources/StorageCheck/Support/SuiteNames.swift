import ArgumentParser
import BackendSelection
import CommandLineSupport
import StorageConformance

/// The names of parts of the suite on the command line, regardless of case.
enum SuiteNames {
    static let groups = RequirementGroup.allCases.map(\.rawValue)
    static let requirements = ConformanceSuite.requirements.map(\.id)
    static let cases = ConformanceSuite.cases.map(\.id)

    static func group(_ name: String) throws -> String {
        try find(name, "group", groups, instead: ("requirement", requirements), shown: groups)
    }

    static func requirement(_ name: String) throws -> String {
        let group = groups.first { name.uppercased().hasPrefix("\($0)-") }
        return try find(
            name, "requirement", requirements, instead: ("group", groups),
            shown: group.map { group in requirements.filter { $0.hasPrefix("\(group)-") } })
    }

    static func testCase(_ name: String) throws -> String {
        let requirement = requirements.first { name.uppercased().hasPrefix("\($0) ") }
        return try find(
            name, "case", cases,
            shown: requirement.map { id in cases.filter { $0.hasPrefix("\(id) ") } })
    }

    /// - Parameters:
    ///   - kind: what is named, which is also the option.
    ///   - other: names of another kind, which have an option of their own.
    ///   - shown: the available names; `nil` if there are too many to show.
    private static func find(
        _ name: String, _ kind: String, _ known: [String],
        instead other: (kind: String, names: [String])? = nil, shown: [String]?
    ) throws -> String {
        func same(in names: [String]) -> String? {
            names.first { $0.lowercased() == name.lowercased() }
        }
        if let found = same(in: known) { return found }
        if let other, let found = same(in: other.names) {
            throw ValidationError(
                "--\(kind): '\(found)' is a \(other.kind); write --\(other.kind) \(found)")
        }
        var list = "; '\(Program.name) list' shows all; the groups are: "
        list += groups.joined(separator: ", ")
        if let shown {
            // The IDs of cases are sentences.
            list = "; there is: " + shown.joined(separator: kind == "case" ? "; " : ", ")
        }
        throw ValidationError(
            "--\(kind): the suite has no \(kind) '\(name)'"
                + NearestName.suggestion(for: name, among: known) + list)
    }
}

/// The arguments that select a part of the suite.
struct SelectionArguments: ParsableArguments {
    @Option(parsing: .singleValue, help: "Only these groups: SAVE,CLOSE.")
    var group: [WordList] = []

    @Option(parsing: .singleValue, help: "Only these requirements: SAVE-3,SAVE-4.")
    var requirement: [WordList] = []

    @Option(
        name: .customLong("case"), parsing: .singleValue,
        help: "Only the case of this id: 'SAVE-3 a set over three sessions'.")
    var cases: [String] = []

    /// Returns the selection. Throws if a name is unknown or nothing is left, which is never a success.
    func selection() throws -> CaseSelection {
        let selection = CaseSelection(
            groups: try group.words.map(SuiteNames.group),
            requirements: try requirement.words.map(SuiteNames.requirement),
            cases: try cases.map(SuiteNames.testCase))
        if try selection.select().isEmpty {
            throw ValidationError(
                "no case is in all of the lists --group, --requirement and --case")
        }
        return selection
    }
}
