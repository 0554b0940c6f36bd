import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

struct SessionSamplerTests {
    /// If this fails, samples changed and measurements cannot be compared with earlier ones.
    @Test func theSamplesOfSeed1AreTheseForEver() {
        var sampler = SessionSampler(seed: 1)
        var digest = Digest()
        digest.add(sampler.window(tabs: 100, state: .blobs(1000...20_000)))
        digest.add(sampler.window(tabs: 20, kind: .incognito, state: .navigationOnly))
        let edit = sampler.randomEdit(of: sampler.windows(2, tabs: 10))
        for session in edit.expected { digest.add(session) }
        expect(digest.value, is: 14_610_348_648_156_261_466)
    }

    @Test func aSeedGivesOneSessionAndAnotherSeedAnother() {
        var (first, second) = (SessionSampler(seed: 7), SessionSampler(seed: 7))
        let sample = first.window(tabs: 50, state: .navigationOnly)
        expect(sample, is: second.window(tabs: 50, state: .navigationOnly))
        expect(sample != first.window(tabs: 50, state: .navigationOnly))
        var other = SessionSampler(seed: 8)
        expect(sample != other.window(tabs: 50, state: .navigationOnly))
    }

    @Test func theMetadataDoesNotDependOnTheState() {
        let samples = [SampleState.none, .navigationOnly, .blobs(10...100)].map { state in
            var sampler = SessionSampler(seed: 5)
            return sampler.window(tabs: 40, state: state)
        }
        for sample in samples {
            expect(sample.tabs.map(\.metadata), is: samples[0].tabs.map(\.metadata))
            expect(sample.attributes, is: samples[0].attributes)
        }
        expect(samples[0].tabs.allSatisfy { $0.states.isEmpty })
        expect(samples[1].tabs.allSatisfy { Set($0.states.keys) == [.navigation] })
        expect(samples[2].tabs.allSatisfy { Set($0.states.keys) == [.navigation, .native] })
    }

    @Test(arguments: [0, 1, 2, 3, 10, 100, 1000, 10_000])
    func theRulesOfTabListsHold(count: Int) {
        var sampler = SessionSampler(seed: UInt64(count))
        for sample in sampler.windows(count < 1000 ? 20 : 1, tabs: count) {
            expect(sample.tabs.count, is: count)
            expect(repairs(of: sample).isEmpty)
            expect((sample.attributes.activeTab == nil), is: (count == 0))
            expect(Set(sample.tabs.map(\.metadata.id)).count, is: count)
        }
    }

    @Test func openersAreEarlierAndTimesInOrder() throws {
        var sampler = SessionSampler(seed: 3)
        let sample = sampler.window(tabs: 2000)
        let oldest = SessionSampler.now.microseconds - 60 * 86_400_000_000
        var entries: [TabID: Int32] = [:]
        for tab in sample.tabs.map(\.metadata) {
            if let opener = tab.opener {
                let count = try require(entries[opener.tab])
                expect((0..<count).contains(opener.navigationIndex))
            }
            entries[tab.id] = tab.navigationItemCount
            expect(oldest <= tab.createdAt.microseconds)
            expect(tab.createdAt <= tab.lastActiveAt)
            expect(tab.lastActiveAt <= SessionSampler.now)
            expect(sample.attributes.createdAt <= tab.createdAt)
            expect((1...50).contains(tab.navigationItemCount))
        }
        let active = sample.tabs.first { $0.metadata.id == sample.attributes.activeTab }
        expect(active?.metadata.lastActiveAt, is: SessionSampler.now)
    }

    @Test func groupsHave2To12Tabs() {
        var sampler = SessionSampler(seed: 4)
        let sample = sampler.window(tabs: 2000)
        let groups = Dictionary(grouping: sample.tabs.compactMap(\.metadata.group)) { $0 }
        expect(groups.count > 30)
        expect(groups.values.allSatisfy { (2...12).contains($0.count) })
        expect(sample.nodes.count, is: groups.count)
    }

    /// What a store would have to put right.
    func repairs(of sample: SessionSnapshot) -> [SessionRepair] {
        let tabs = sample.tabs.map(\.metadata).sorted { $0.place < $1.place }
        var restored = RestoredSession(
            id: sample.id, attributes: sample.attributes, tabs: tabs, nodes: sample.nodes)
        restored.repair()
        expect(restored.tabs == sample.tabs.map(\.metadata) && restored.nodes == sample.nodes)
        return restored.repairs
    }
}
