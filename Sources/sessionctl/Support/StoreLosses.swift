import BrowserSessions
import CommandLineSupport

/// The losses of a store that are not yet accepted, in words for people.
///
/// `list`, `show`, `check`, `digest`, `export`, and `migrate` report them in these words, and end
/// with ``ExitCode/damaged``.
struct StoreLosses: Equatable {
    /// The losses of one session.
    struct Session: Equatable {
        var session: String
        /// The number of its tabs that can be read; `nil` if unknown.
        var readableTabs: Int?
        /// How many records have each kind of loss. A kind that is not known here means that more may be
        /// missing than can be determined.
        var counts: [Loss.Kind: Int] = [:]
    }

    private(set) var sessions: [Session] = []
    /// Known losses that belong to no session, as sentences without content.
    private(set) var others: [String] = []
    /// What restore points lack, as sentences.
    private(set) var points: [String] = []
    /// Why the incognito sessions cannot be read; `nil` if they can be, or were not requested.
    var incognitoProblem: String?
    private var indices: [SessionID: Int] = [:]
    private var seen: Set<Loss> = []
    private var tabsWithLostState: [SessionID: Set<TabID?>] = [:]

    init() {}

    var isEmpty: Bool {
        sessions.isEmpty && others.isEmpty && points.isEmpty && incognitoProblem == nil
    }

    /// - Parameter readableTabs: the number of tabs of its session that can be read; `nil` if unknown.
    mutating func add(_ loss: Loss, readableTabs: Int? = nil) {
        guard loss.kind != .unfinishedWrite else { return }
        if loss.kind == .restorePoint { return points.append(loss.detail) }
        guard let id = loss.session else {
            if !others.contains(loss.detail) { others.append(loss.detail) }
            return
        }
        let index = indices[id] ?? sessions.endIndex
        if index == sessions.endIndex {
            sessions.append(Session(session: id.description))
            indices[id] = index
        }
        if let readableTabs { sessions[index].readableTabs = readableTabs }
        guard seen.insert(loss).inserted else { return }
        // A tab has several blobs, so it is counted once.
        guard
            loss.kind != .state || tabsWithLostState[id, default: []].insert(loss.tab).inserted
        else { return }
        sessions[index].counts[loss.kind, default: 0] += 1
    }

    mutating func add(_ session: RestoredSession) {
        for loss in session.losses { add(loss, readableTabs: session.tabs.count) }
    }
}

extension StoreLosses {
    /// Finds losses without reading the state of tabs.
    init(in store: any SessionStorage) async throws {
        self.init()
        do throws(StorageError) {
            for session in try await store.restore(store.sessions()) { add(session) }
        } catch {
            guard error.code == .corrupted else { throw error }
            try await self.init(checking: store)
            if isEmpty { throw error }
        }
    }

    /// Finds losses of the present by reading everything.
    init(checking store: any SessionStorage) async throws {
        await self.init(of: try store.check(), in: store)
        points = []
    }

    /// Collects the losses of a report.
    init(of report: RecoveryReport, in store: any SessionStorage) async {
        self.init()
        incognitoProblem = report.incognitoProblem
        for loss in report.losses { add(loss) }
        await countTabs(of: store)
    }

    /// Counts the remaining tabs of the sessions, as far as possible.
    mutating func countTabs(of store: any SessionStorage) async {
        for index in sessions.indices where sessions[index].readableTabs == nil {
            guard let id = SessionID(sessions[index].session) else { continue }
            sessions[index].readableTabs = try? await store.restore(id)?.tabs.count
        }
    }

    /// The possible responses to losses.
    enum Remedy: CaseIterable {
        case previous, partialExport, repair, deleteIncognito

        func line(for place: String) -> String {
            switch self {
            case .previous:
                "  sessionctl show ID --previous '\(place)'   shows a window as it was earlier"
            case .partialExport:
                "  sessionctl export FILE --partial '\(place)'   saves what can be read"
            case .repair:
                "  sessionctl repair '\(place)'   accepts what is lost; damaged bytes are kept aside"
            case .deleteIncognito:
                "  sessionctl delete-incognito '\(place)'   gives the incognito sessions up"
            }
        }
    }

    /// Returns what is lost and what the user can do about it.
    ///
    /// - Parameters:
    ///   - place: the store's location.
    ///   - isPartial: whether the remaining content was output anyway; `nil` if there is no output.
    ///   - used: the remedy that the command itself is, which is not suggested.
    func lines(of place: String, isPartial: Bool?, used: Remedy? = nil) -> [String] {
        let end =
            switch isPartial {
            case true?: ", and is here."
            case false?: ", but nothing was given out."
            case nil: "."
            }
        return ["A part of what was saved at '\(place)' cannot be read:"]
            + sessions.map { "  \($0.words)" }
            + others.map { "  in windows that cannot be named: \($0)" } + points.map { "  \($0)" }
            + [incognitoProblem].compactMap { $0.map { "  all incognito sessions: \($0)" } }
            + [rest + end, "What you can do:"]
            + Remedy.allCases.filter { $0 != used && helps($0) }.map { $0.line(for: place) }
    }

    /// What is certain of everything else. Where it is unknown what is missing, that may be a removal.
    private var rest: String {
        others.isEmpty
            ? "Everything else is as it was saved"
            : "Everything else may be as it was earlier, also what was removed since"
    }

    private func helps(_ remedy: Remedy) -> Bool {
        remedy != .deleteIncognito || incognitoProblem != nil
    }
}

extension StoreLosses.Session {
    /// A description, such as `0C24…/regular: 12 of 14 tabs can be read`.
    var words: String {
        let lost = counts[.tab].map { lost in
            readableTabs.map { "\($0) of \(counted($0 + lost, "tab")) can be read" }
                ?? "\(counted(lost, "tab")) cannot be read"
        }
        let kinds: [(Loss.Kind, String, String, String)] = [
            (.tabReplacedByEarlier, "tab is as it was", "tabs are as they were", "earlier"),
            (.node, "group or folder has", "groups or folders have", "lost name and place"),
            (
                .nodeReplacedByEarlier, "group or folder is as it was",
                "groups or folders are as they were", "earlier"
            ),
            (.state, "tab has", "tabs have", "lost history or page state"),
        ]
        let others = kinds.map { kind, one, several, rest in
            counts[kind].map { "\(counted($0, one, several)) \(rest)" }
        }
        let known = Set(kinds.map(\.0) + [.tab, .attributes])
        let ends = [
            counts[.attributes].map { _ in "its title, groups and active tab are lost" },
            known.isSuperset(of: counts.keys) ? nil : "more tabs may be missing",
        ]
        let parts = ([lost] + others + ends).compactMap(\.self)
        return "\(session): " + parts.joined(separator: "; ")
    }
}
