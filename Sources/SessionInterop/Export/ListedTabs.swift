import BrowserSessions

/// A session in lists for people: a section with groups.
struct ListedSection {
    var title: String
    var session: ExportedSession
    /// The runs of tabs of one group, or of none.
    var runs: [(group: StructureNode?, tabs: [ExportedTab])] = []

    init(_ session: ExportedSession, number: Int) {
        self.session = session
        title = Shown.heading(session.id.kind, session.attributes, number: number)
        let groups = Dictionary(firstOf: session.groups.map { ($0.id, $0) })
        for tab in session.tabs {
            let group = tab.metadata.group.flatMap { groups[$0] }
            if let last = runs.indices.last, runs[last].group?.id == group?.id {
                runs[last].tabs.append(tab)
            } else {
                runs.append((group, [tab]))
            }
        }
    }

    static func all(of sessions: [ExportedSession]) -> [ListedSection] {
        var numbers = WindowNumbers()
        return sessions.map { ListedSection($0, number: numbers.number(of: $0.id)) }
    }
}
