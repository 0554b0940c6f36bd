import Testing

@testable import StorageConformance

@Suite("The lists of the suite are sound")
struct CatalogueTests {
    @Test("no two requirements, cases or faulty backends have one name")
    func names() {
        #expect(repeated(ConformanceSuite.requirements.map(\.id)) == [])
        #expect(repeated(ConformanceSuite.cases.map(\.id)) == [])
        // A second backend of a name would never be tried.
        #expect(repeated(Mutant.all.map(\.name)) == [])
    }

    @Test("every requirement has a case, and every binding one a faulty backend")
    func proofs() {
        let broken = Set(Mutant.all.map(\.breaks))
        for list in ConformanceSuite.lists {
            #expect(!list.cases.isEmpty, "\(list.requirement.id) has no case")
            guard list.requirement.level == .must else { continue }
            #expect(
                broken.contains(list.requirement.id),
                "no faulty backend breaks \(list.requirement.id)")
        }
        #expect(broken.subtracting(ConformanceSuite.requirements.map(\.id)) == [])
    }

    private func repeated(_ names: [String]) -> [String] {
        Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
    }
}
