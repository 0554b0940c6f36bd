/// A report from the running process of a case: all that remains if the process ends suddenly.
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

    /// Reports progress to the process that awaits this one's verdict, if there is one.
    static func tell(_ progress: CaseProgress) {
        if hasReader { ConformanceChild.report(progress.line) }
    }

    private static let hasReader = ConformanceChild.isChild
}
