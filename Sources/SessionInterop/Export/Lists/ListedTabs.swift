import BrowserSessions

/// The sessions as lists for people show them: sections with groups inside.
struct ListedSection {
    var title: String
    var session: ExportedSession
    /// Runs of tabs of one group, or of none.
    var runs: [(group: TabGroup?, tabs: [ExportedTab])] = []

    init(_ session: ExportedSession, number: Int) {
        self.session = session
        title = Self.title(of: session, number: number)
        let groups = Dictionary(
            session.attributes.groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for tab in session.tabs {
            let group = tab.metadata.group.flatMap { groups[$0] }
            if let last = runs.indices.last, runs[last].group?.id == group?.id {
                runs[last].tabs.append(tab)
            } else {
                runs.append((group, [tab]))
            }
        }
    }

    /// What the user named the window, or its number and kind.
    private static func title(of session: ExportedSession, number: Int) -> String {
        let name = session.attributes.title.isEmpty ? "Window \(number)" : session.attributes.title
        return switch session.place {
        case .closedTabs: name + ", closed"
        case .inactiveTabs: name + ", inactive tabs"
        case .setAsideTabs: name + ", set aside"
        case .incognitoTabs: name + ", incognito"
        default: name
        }
    }

    /// The sessions of one window have its number.
    static func all(of sessions: [ExportedSession]) -> [ListedSection] {
        var numbers: [WindowID: Int] = [:]
        return sessions.filter { !$0.tabs.isEmpty }.map { session in
            let number = numbers[session.id.window] ?? numbers.count + 1
            numbers[session.id.window] = number
            return ListedSection(session, number: number)
        }
    }
}

extension ExportedTab {
    /// The title; the address for a tab without one.
    var shownTitle: String {
        if !metadata.title.isEmpty { return metadata.title }
        return metadata.url.isEmpty ? "New tab" : metadata.url
    }
}
