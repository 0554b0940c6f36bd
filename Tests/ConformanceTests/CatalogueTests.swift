import Expectations
import Foundation

@testable import StorageConformance

@Suite("The lists of the suite are sound")
struct CatalogueTests {
    @Test("no two requirements, cases or faulty backends have one name")
    func names() {
        expect(repeated(ConformanceSuite.requirements.map(\.id)), is: [])
        expect(repeated(ConformanceSuite.cases.map(\.id)), is: [])
        // A second backend of a name would never be tried.
        expect(repeated(FaultyBackend.all.map(\.name)), is: [])
    }

    @Test("every requirement has a case, and every binding one a faulty backend")
    func proofs() {
        for entry in ConformanceSuite.entries {
            let id = entry.requirement.id
            expect(!entry.cases.isEmpty, "\(id) has no case")
            guard entry.requirement.level == .must else { continue }
            expect(!entry.faultyBackends.isEmpty, "no faulty backend breaks \(id)")
        }
    }

    @Test("every claim has a requirement to prove it")
    func claims() {
        let proven = Set(ConformanceSuite.entries.compactMap(\.proves))
        expect(proven, is: Set(Capability.claims))
        for entry in ConformanceSuite.entries {
            guard let claim = entry.proves else { continue }
            expect(entry.requirement.level, is: .must, "\(entry.requirement.id) proves \(claim)")
        }
    }

    @Test("a requirement and its cases say where they stand")
    func places() throws {
        let requirement = try require(ConformanceSuite.requirements.first)
        let testCase = try require(ConformanceSuite.cases.first)
        expect(requirement.place.file, is: "Conformance/Cases/Save/SaveWholeSets.swift")
        expect(testCase.place.file, is: requirement.place.file)
        expect(testCase.place.line > requirement.place.line)
        for testCase in ConformanceSuite.cases {
            let folder = testCase.requirement.group.rawValue.capitalized
            expect(testCase.place.file.hasPrefix("Conformance/Cases/\(folder)/"), "\(testCase.id)")
        }
    }

    private func repeated(_ names: [String]) -> [String] {
        Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
    }
}
