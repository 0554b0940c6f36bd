import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import Foundation

extension RunCommand {
    /// Returns the plan that the options describe. An error names the option and the closest known name.
    func plan(_ known: Contestants) throws -> BenchPlan {
        var plan = BenchPlan(
            contestants: try chosen(known),
            folder: URL(filePath: folder).standardizedFileURL.path)
        plan.seed = seed
        if quick {
            (plan.samples, plan.rounds, plan.milliseconds) = (30, 1, 40)
            (plan.tabs, plan.stateBytes) = ([10, 1000], [10 << 10])
        }
        if let samples { plan.samples = samples }
        guard (3...1_000_000).contains(plan.samples) else {
            throw ValidationError("--samples: a number from 3 to 1000000 is needed")
        }
        plan.longSamples = samples
        if samples != nil {
            // More pairs also get more time.
            plan.milliseconds *= max(1, plan.samples / 150)
        }
        plan.workloads = try chosenWorkloads()
        if !tabs.isEmpty { plan.tabs = try numbers(tabs, 2...1_000_000, "--tabs") }
        if !stateBytes.isEmpty {
            plan.stateBytes = try numbers(stateBytes, 1...(16 << 20), "--state-bytes")
        }
        if !durability.isEmpty {
            let all: [Durability] = [.processCrash, .powerLoss]
            plan.durabilities = try durability.words.compactMap {
                let name = try Self.find($0, all.map(\.rawValue), "--durability", "level")
                return all.first { $0.rawValue == name }
            }
        }
        return plan
    }

    private func chosenWorkloads() throws -> [Workload] {
        let chosen = try workloads.words.compactMap { word in
            Workload.named(
                try Self.find(word, [Workload].all.map(\.name), "--workloads", "operation"))
        }
        return chosen.isEmpty ? [Workload].usual.filter { !quick || $0.use == .always } : chosen
    }

    private func chosen(_ known: Contestants) throws -> [Contestant] {
        var chosen: [Contestant] = []
        var counts: [String: Int] = [:]
        for url in storage {
            let found = try known.contestant(url: url)
            let count = (counts[found.name.name] ?? 0) + 1
            counts[found.name.name] = count
            let label = count == 1 ? found.name.name : "\(found.name.name)-\(count)"
            chosen.append(try known.contestant(url: url, label: label))
        }
        var names = backends.words
        if names.isEmpty {
            names = storage.isEmpty ? known.names : Contestants.builtIn.map(\.name.name)
        }
        for name in names {
            let name = try Self.find(name, known.names, "--backends", "backend")
            guard counts[name] == nil, let contestant = known.contestant(named: name) else {
                throw ValidationError("--backends: '\(name)' is there twice")
            }
            counts[name] = 1
            chosen.append(contestant)
        }
        return chosen
    }

    private static func find(_ name: String, _ known: [String], _ option: String, _ kind: String)
        throws -> String
    {
        guard !known.contains(name) else { return name }
        throw ValidationError(
            "\(option): there is no \(kind) '\(name)'"
                + NearestName.suggestion(for: name, among: known) + "; there is: "
                + known.joined(separator: ", "))
    }

    private func numbers(_ lists: [WordList], _ range: ClosedRange<Int>, _ option: String) throws
        -> [Int]
    {
        try lists.words.map { word in
            guard let number = Int(word), range.contains(number) else {
                throw ValidationError(
                    "\(option): '\(word)' is not a whole number from \(range.lowerBound) to"
                        + " \(range.upperBound)")
            }
            return number
        }
    }
}
