import BrowserSessions

/// In which sessions the store may hold a tab.
///
/// Usually that is one. While a save that moves a tab has not been acknowledged, or has failed, it
/// may be the former as well.
struct StoredPlace {
    /// Where the tab was put last.
    private(set) var session: SessionID
    private var former: [SessionID] = []

    init(_ session: SessionID) { self.session = session }

    var all: [SessionID] { [session] + former }

    mutating func move(to new: SessionID) {
        guard new != session else { return }
        former.removeAll { $0 == new }
        former.append(session)
        session = new
    }

    /// A save was acknowledged that put the tab there.
    mutating func acknowledge(_ acknowledged: SessionID) {
        former = session == acknowledged ? [] : [acknowledged]
    }
}
