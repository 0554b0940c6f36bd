import BrowserModel
import BrowserSessions

extension ClosedTab {
    /// A tab that its last owner released.
    init(
        lost tab: TabMetadata, from session: SessionID, at time: Timestamp, place: OrderKey
    ) {
        var former = FormerPlace()
        former.session = session.window == .profileWide ? "" : session.ofWindow.description
        (former.zone, former.place) = (tab.zone, tab.place)
        (former.time, former.batch) = (time, .random())
        var record = tab
        record.place = place
        record.properties[SavedProperty.closedOpener] = tab.opener?.savedText
        self.init(record, at: former, isPinned: tab.isPinned, group: nil)
    }

    /// A tab that left a window.
    init(
        _ removal: TabRemoval, in window: Window, _ closing: ClosingID, at time: Timestamp,
        place: OrderKey
    ) {
        let backup = BackupNotes(window.attributes)
        var former = removal.formerPlace
        former.session = window.sessionID.ofWindow.description
        if window.isCompanion, window.kind != .backup {
            (former.index, former.place, former.previous) = (nil, nil, nil)
        } else {
            former.index = removal.index + backup.firstIndex.index
        }
        (former.time, former.batch) = (time, closing.asNode)
        former.reason = removal.closing == .user ? FormerPlace.byUser : FormerPlace.byProgram
        var record = removal.tab.metadata
        record.place = place
        let opener = removal.opener ?? backup.openers[removal.tab.id]
        record.properties[SavedProperty.closedOpener] = opener?.savedText
        record.properties[SavedProperty.closedActive] = removal.wasActive ? "yes" : nil
        self.init(
            record, at: former, isPinned: removal.isPinned,
            group: removal.isPinned ? nil : removal.group)
    }

    /// A tab that was read.
    init(stored: TabMetadata, _ nodes: ClosedNodes) {
        let former = nodes.place(of: stored)
        let above = nodes.above(former)
        let isPinned = ([former.zone] + above.compactMap(\.closedFrom?.zone))
            .contains { $0 == .pinned || $0 == .essential }
        self.init(
            stored, at: former, isPinned: isPinned,
            group: isPinned ? nil : above.first { $0.kind == .group }?.asItWas)
    }
}

extension StructureNode {
    /// The node without its former place.
    var asItWas: StructureNode {
        var node = self
        node.closedFrom = nil
        return node
    }

    /// Whether the node ended by a closing.
    func isOf(_ closing: ClosingID) -> Bool { closedFrom?.batch == closing.asNode }
}

extension FormerPlace {
    /// The reason of what the user closed.
    static let byUser = "user"
    /// The reason of what the program closed.
    static let byProgram = "automatic"
}

extension ClosingID {
    var asNode: NodeID { NodeID(high: high, low: low) }
}
