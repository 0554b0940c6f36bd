import Expectations
import Foundation

@testable import StorageConformance

@Suite("The contract as a page")
struct ContractPageTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources/BrowserSessions/BrowserSessions.docc/Contract.md")

    private var page: String {
        get throws { try require(try ContractPage().formatted(.markdown)) }
    }

    @Test("the page in the documentation is the one that the requirements make")
    func thePageIsUpToDate() throws {
        let kept = try String(contentsOf: Self.file, encoding: .utf8)
        let (found, made) = (kept.split(separator: "\n"), try page.split(separator: "\n"))
        let first = zip(found, made).first { $0 != $1 }
        expect(
            try kept == page,
            """
            Contract.md and the requirements differ: run `make contract`. The first other line is \
            '\(first?.0 ?? "none, one is longer")', it should be '\(first?.1 ?? "")'
            """)
    }

    @Test func everyRequirementHasOneAnchor() throws {
        let headings = try page.split(separator: "\n").filter { $0.hasPrefix("### ") }
        expect(headings.sorted(), is: ConformanceSuite.requirements.map { "### \($0.id)" }.sorted())
        expect(try ContractPage().formatted(.junit) == nil)
    }

    @Test func requirementsStandByGroupAndNumber() {
        let ids = ContractPage().requirements.map(\.id)
        expect(ids.firstIndex(of: "SAVE-2").map { ids[$0 + 1] }, is: "SAVE-3")
        expect(ids.firstIndex(of: "SAVE-9").map { ids[$0 + 1] }, is: "SAVE-10")
    }

    @Test func everyWordIsExplained() throws {
        for capability in Capability.allCases {
            expect(try page.contains("| \(capability.rawValue) | \(capability.explanation) |"))
        }
        for group in RequirementGroup.allCases {
            expect(try page.contains("\n## \(group.rawValue)\n\n\(group.explanation)\n"))
        }
    }
}
