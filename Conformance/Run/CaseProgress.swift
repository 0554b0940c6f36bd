/// What the process of a case says while it runs: all that is left of it if it ends suddenly.
enum CaseProgress: Equatable {
    case location(String, name: String)
    case trying(String)

    private static let location = "location "
    private static let trying = "trying "

    init?(_ line: String) {
        if line.hasPrefix(Self.location) {
            let parts = line.dropFirst(Self.location.count).split(separator: "\t", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            self = .location(String(parts[0]), name: String(parts[1]))
        } else if line.hasPrefix(Self.trying) {
            self = .trying(String(line.dropFirst(Self.trying.count)))
        } else {
            return nil
        }
    }

    private var line: String {
        switch self {
        case .location(let path, let name): "\(Self.location)\(path)\t\(name)"
        case .trying(let what): Self.trying + ConformanceChild.oneLine(what)
        }
    }

    /// Tells the process that awaits this one's verdict; nothing happens where there is none.
    static func tell(_ progress: CaseProgress) {
        if hasReader { ConformanceChild.report(progress.line) }
    }

    private static let hasReader = ConformanceChild.isChild
}

extension CaseRunner {
    /// Does what a case cannot do whose process ended before it came to a verdict: keeps its stores
    /// where that was asked for, and removes them.
    ///
    /// - Returns: what to add to the message: what was tried last, and what could not be done here.
    func cleanUp(after testCase: ConformanceCase, _ lines: [String]) async -> (String, Evidence) {
        var evidence = Evidence()
        var locations: [(path: String, name: String)] = []
        var last = ""
        for progress in lines.compactMap(CaseProgress.init) {
            switch progress {
            case .location(let path, let name): locations.append((path, name))
            case .trying(let what): last = what
            }
        }
        var words = last.isEmpty ? "" : ", when it had tried \(last)"
        do {
            evidence.kept = try keep.flatMap {
                try CaseContext.keep(
                    locations, of: testCase, harness: harness.label, seed: seed, in: $0)
            }
            // What could not be kept is not removed either.
            for location in locations { try await harness.removeLocation(location.path) }
        } catch {
            words += "; its stores could not be kept or removed: \(error)"
        }
        return (words, evidence)
    }
}
