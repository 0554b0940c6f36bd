import BrowserModel
import BrowserSessions

/// The version of a tab that the store should have and has not acknowledged.
struct PendingTab {
    enum Target {
        /// In the session, as the model has the tab when it is sent.
        case live(in: SessionID)
        /// In the session, as the tab was when it left the model.
        case taken(TabMetadata, in: SessionID)
        case gone
    }

    /// The number of refusals after which nothing more can be left out.
    static let lastStage = 1

    var target: Target
    /// A number that increases with each change.
    var version: Int
    /// Whether the user asked for the tab to leave the windows, if it does. Nothing is asked for by itself.
    var isAsked = false
    /// Whether the live tab's state must be read.
    var isStateDue = false
    /// The blobs that were read, by name, without those that the store has; `nil` removes a blob.
    var blobs: [StateName: [UInt8]?] = [:]
    /// The parts of this version that the store refused.
    var refusal = Refusal()

    /// Whether part of this version is left out.
    var isRefused: Bool {
        refusal.stage > 0 || blobs.contains { refusal.refuses($0.value, named: $0.key) }
    }

    /// Whether the tab must be in a window, inactive, or in the library.
    var isOpen: Bool { session?.kind.isOpen ?? false }

    /// The session that the tab must be in; `nil` if there is none.
    var session: SessionID? {
        switch target {
        case .live(let session), .taken(_, let session): session
        case .gone: nil
        }
    }
}

/// The parts of a tab or session that are left out because the store refused them.
struct Refusal {
    /// The refused blobs of a tab.
    var blobs: [StateName: BlobDigest] = [:]
    /// The amount that is left out; 0 for nothing. At the last stage, only the place and page of a tab are left.
    var stage = 0
    /// Whether groups of a session that ended stay, because the store has tabs in them.
    var keepsGroups = false
    /// Whether it is still refused although nothing more can be left out.
    var whole = false
    /// Whether the rest of this version was acknowledged, or all of it is refused.
    var isAllThatWaits = false
    /// The reason; `nil` if nothing was refused.
    var error: StorageError?

    /// Returns whether these bytes are refused under the name.
    func refuses(_ bytes: [UInt8]?, named name: StateName) -> Bool {
        blobs[name].map { $0 == BlobDigest(bytes) } ?? false
    }

    /// The refusal after the tab has changed. The same blob is not sent again.
    var afterChange: Refusal { Refusal(blobs: blobs, error: blobs.isEmpty ? nil : error) }

    mutating func leaveOutMore(lastStage: Int) {
        if stage < lastStage {
            stage += 1
        } else {
            (whole, isAllThatWaits) = (true, true)
        }
    }
}

/// The version of a session that the store should have and has not acknowledged.
struct PendingSession {
    enum Target {
        /// As its window is when it is sent.
        case live
        case taken(SessionContent)
        case gone
    }

    var target: Target
    var version: Int
    /// Whether the store removes the entire session before anything else enters it.
    var isRemovedFirst: Bool
    /// Whether the user asked for the removal of what is in it.
    var isAsked: Bool
    /// The parts of this version that the store refused.
    var refusal = Refusal()

    var isGone: Bool { if case .gone = target { true } else { false } }

    /// Whether the store removes it, which comes after tabs have left it.
    var isLate: Bool { isGone || isRemovedFirst }
}

/// The sessions in which the store has the tabs of a partition, as far as they are known.
struct StoredTabs {
    private var places: [TabID: StoredTab] = [:]
    /// The restored tabs that are not indexed yet, so that windows appear sooner.
    private var restored: [(tabs: [TabMetadata], session: SessionID)] = []

    /// - Complexity: linear in the restored tabs until ``index()`` is called, as before each change.
    subscript(tab: TabID) -> StoredTab? {
        get {
            if let place = places[tab] { return place }
            let entry = restored.last { $0.tabs.contains { $0.id == tab } }
            return entry.map { StoredTab($0.session) }
        }
        set {
            index()
            places[tab] = newValue
        }
    }

    /// The tabs with known sessions.
    var ids: [TabID] {
        mutating get {
            index()
            return Array(places.keys)
        }
    }

    /// Notes tabs that the store already has in the session.
    mutating func restore(_ tabs: [TabMetadata], in session: SessionID) {
        restored.append((tabs, session))
    }

    /// Prepares the lookup of restored tabs.
    mutating func index() {
        guard !restored.isEmpty else { return }
        var new: [(tabs: [TabMetadata], session: SessionID)] = []
        swap(&new, &restored)
        places.reserveCapacity(new.reduce(places.count) { $0 + $1.tabs.count })
        for (tabs, session) in new {
            let place = StoredTab(session)
            for tab in tabs { places[tab.id] = place }
        }
    }

    /// Returns whether the store may have another tab in a session than these.
    func has(_ session: SessionID, otherThan tabs: (TabID) -> Bool) -> Bool {
        places.contains { $0.value.sessions.contains(session) && !tabs($0.key) }
    }

    /// Forgets the blobs, because another storage may have others.
    mutating func forgetBlobs() {
        index()
        for (tab, place) in places where !place.blobs.isEmpty { places[tab]?.blobs = [:] }
    }
}
