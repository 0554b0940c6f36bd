import ArgumentParser
import BrowserSessions
import CommandLineSupport
import Expectations
import Foundation

@testable import StorageBenchmark

@Suite("Options")
struct OptionTests {
    private func plan(_ arguments: [String]) throws -> BenchPlan {
        try RunCommand.parse(arguments).plan(.test())
    }

    @Test(arguments: [
        (["--backends", "directry"], "did you mean 'directory'"),
        (["--backends", "dri"], "there is: directory"),
        (["--workloads", "restor"], "did you mean 'restore'"),
        (["--durability", "powerLos"], "did you mean 'powerLoss'"),
        (["--tabs", "ten"], "--tabs: 'ten' is not a whole number"),
        (["--tabs", "1"], "from 2 to"),
        (["--state-bytes", "0"], "--state-bytes: '0'"),
        (["--samples", "2"], "--samples"),
        (["--format", "jsn"], "did you mean 'json'"),
        (["--storage", "directori:///x"], "did you mean 'directory'"),
    ])
    func mistakesAreNamed(_ arguments: [String], _ words: String) {
        let error = expect(throws: (any Error).self) { try plan(arguments) }
        let message = error.map { RootCommand.fullMessage(for: $0) + "\($0)" } ?? ""
        expect(message.contains(words), "\(message)")
    }

    @Test func listsAreSplitAndOrderIsKept() throws {
        let plan = try plan([
            "--backends", "dry,directory", "--workloads", "restore", "--workloads", "move-tab",
            "--tabs", "50,5", "--state-bytes", "100", "--durability", "powerLoss", "--seed", "7",
        ])
        expect(plan.contestants.map(\.name.name), is: ["dry", "directory"])
        expect(plan.workloads.map(\.name), is: ["restore", "move-tab"])
        expect(plan.tabs, is: [50, 5])
        expect(plan.stateBytes, is: [100])
        expect(plan.durabilities, is: [.powerLoss])
        expect(plan.seed, is: 7)
    }

    @Test func whatSlowsOthersIsNotInAQuickRun() throws {
        func names(_ arguments: [String]) throws -> [String] {
            try plan(arguments).workloads.map(\.name)
        }
        expect(try names([]).contains("open-cold"))
        expect(try !names(["--quick"]).contains("open-cold"))
        expect(try names(["--quick", "--workloads", "open-cold"]) == ["open-cold"])
    }

    @Test func storesByURLComeBesideTheReferences() throws {
        let plan = try plan([
            "--storage", "directory:///a", "--storage", "directory:///b?durability=processCrash",
        ])
        let names = plan.contestants.map(\.name.label)
        expect(names.prefix(2), is: ["directory", "directory-2"])
        expect(names.contains("dry") && names.contains("whole-window-json"))
        expect(plan.contestants.prefix(2).map(\.location), is: ["/a", "/b"])
    }

    @Test func theListHasEveryName() throws {
        let text = RunCommand.listing(try .test())
        for name in [Workload].all.map(\.name) + ["directory", "dry", "list-and-files"] {
            expect(text.contains("  \(name)"))
        }
    }
}
