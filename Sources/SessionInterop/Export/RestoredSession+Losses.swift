import BrowserSessions

extension RestoredSession {
    /// The differences from the last saved session, in sentences.
    var lossLines: [String] {
        var lines = losses.map { "\($0.kind.subject): \($0.detail)" }
        if provenance == .restorePoint {
            lines.insert("what was saved last could not be read; this is an earlier state", at: 0)
        }
        return lines
    }
}

extension Loss.Kind {
    fileprivate var subject: String {
        switch self {
        case .attributes: "its name, groups and active tab could not be read"
        case .node: "a group or another node could not be read"
        case .nodeReplacedByEarlier: "an earlier version stands in for a group or another node"
        case .tab: "a tab could not be read"
        case .tabReplacedByEarlier: "an earlier version stands in for a tab"
        case .state: "the state of a tab could not be read"
        case .unknownRecords: "records are missing or stale"
        case .restorePoint: "a restore point lacks something"
        case .unfinishedWrite: "the last write was never finished"
        @unknown default: rawValue
        }
    }
}
