import BrowserModel
import BrowserSessions
import Logging

/// Opens the windows that were read.
extension Restoration {
    /// Returns the sessions of windows that were open when the process ended, in the order in which
    /// the windows were created. Inactive tabs and backups come with their window.
    func toOpen(_ found: Found) -> [RestoredSession] {
        let regular = windows(of: found).filter {
            !$0.isClosed && !heldBack.contains($0.id) || context.windows.window($0.id) != nil
        }
        let secret = found.values.joined().filter {
            $0.id.isIncognito && $0.id.kind.role == .window && !$0.isClosed && !$0.tabs.isEmpty
        }
        let ids = Set(
            regular.filter { $0.id.kind == .regular }.map(\.id)
                + secret.filter { $0.id.kind == .incognito }.map(\.id))
        let companions = found.values.joined().filter { session in
            session.id.kind.role == .companion && !session.tabs.isEmpty
                && ids.contains(session.id.owner)
        }
        return (regular + secret + companions).sorted {
            ($0.attributes.createdAt, $0.id) < ($1.attributes.createdAt, $1.id)
        }
    }

    /// Returns the sessions of what belongs to no window. That of the incognito partition goes with the last
    /// private tab in a window.
    func libraries(_ found: Found, beside windows: [RestoredSession]) -> [RestoredSession] {
        let hasSecrets = windows.contains { $0.id.isIncognito }
        return found.values.joined().filter { session in
            session.id.kind.role == .library && (!session.id.isIncognito || hasSecrets)
        }.sorted { $0.id < $1.id }
    }

    func open(
        _ sessions: [RestoredSession], _ report: inout RestorationReport
    ) -> [Window] {
        var opened: [Window] = []
        opener.reserve(sessions)
        for session in sessions {
            do throws(WindowListError) {
                let (window, doubles) = try opener.open(session)
                opened.append(window)
                report.duplicates += doubles
                switch session.id.kind.role {
                case .window: report.windows.append(.init(session))
                case .library: report.libraries.append(.init(session))
                default: report.companions.append(.init(session))
                }
            } catch {
                context.logger.error(
                    "a stored window can't be opened", metadata: ["error": "\(error)"])
            }
        }
        return opened
    }

    /// Returns tabs that were between two windows, and lost the first one, to the first window of their
    /// partition. Without a window, regular tabs become recently closed and private tabs are removed.
    func returnDetachedTabs(_ session: RestoredSession, _ report: inout RestorationReport) {
        let partition = session.id.partition
        let isSecret = session.id.isIncognito
        let windows = isSecret ? context.windows.incognito : context.windows
        let home = windows.windows(of: isSecret ? .incognito : .regular).first ?? windows.first
        for metadata in session.tabs {
            saves.partition(partition).mark(.stored([metadata], in: session.id))
            let tab = context.tab(metadata, of: partition)
            if let home,
                (try? home.tabs.insert(tab, as: TabInsertion(isPinned: metadata.isPinned))) != nil
            {
                report.returned.append(metadata.id)
            } else if partition == .incognito {
                saves.incognito.mark(.closed(metadata.id))
            } else if closedTabs[metadata.id] == nil {
                closedTabs.lost(metadata, from: session.id)
                report.returned.append(metadata.id)
            }
        }
        saves.partition(partition).mark(.removedEmpty(session.id))
        incognito.opened(session.id)
    }
}

extension SessionID {
    /// The window that a companion with this identifier belongs to.
    fileprivate var owner: SessionID {
        SessionID(window: window, kind: isIncognito ? .incognito : .regular)
    }
}

extension RestorationReport.RestoredWindow {
    init(_ session: RestoredSession) {
        self.init(
            session: session.id, tabs: session.tabs.count, provenance: session.provenance,
            losses: session.losses, repairs: session.repairs)
    }
}
