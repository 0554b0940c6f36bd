public import BrowserSessions

/// The open windows of one partition of a profile, as a collection in the order of opening.
///
/// The collection contains only windows. A companion of a window, such as its inactive tabs, is not
/// a window to the user: ``windows(of:)`` and ``window(_:kind:)`` find it by its kind.
///
/// A profile has two lists, one for its regular windows and, as ``incognito``, one for its
/// incognito windows. They share the identifiers of windows and tabs. Everything that is opened in
/// a list belongs to its partition.
public final class WindowList {
    /// The partition of all windows in the list.
    public let partition: StoragePartition
    /// Attaches helpers to the tabs of all windows. Each window that is opened afterwards uses it
    /// for its list. The window list keeps it alive. In incognito, the regular list's delegate is
    /// the default.
    public var tabListDelegate: (any TabListDelegate)?
    /// Monitors each window opened afterwards. In incognito, the regular list's is the default.
    public var realizationMonitor: RealizationMonitor?

    /// Makes the pages of the tabs in each window opened afterwards, in both partitions; by default a
    /// ``PageHistoryEngine``.
    public var webEngine: any WebEngine {
        get { common.webEngine }
        set { common.webEngine = newValue }
    }

    /// The structure that the host can show in each window opened afterwards; by default groups that are
    /// not in each other. In incognito, the regular list's is the default.
    public var structureRules: StructureRules {
        get { ownRules ?? regular?.structureRules ?? .flatGroups }
        set { ownRules = newValue }
    }

    private var ownRules: StructureRules?
    private let common: WindowsOfProfile
    private weak var regular: WindowList?
    private var otherPartition: WindowList?
    private var observers = Observers<any WindowListObserver>()

    /// Creates the list of a profile's regular windows.
    ///
    /// - Parameters:
    ///   - ids: the identifiers that are in use, and those that are not windows.
    ///   - webEngine: makes the pages of tabs.
    ///   - now: the wall clock for the times of windows and tabs.
    public init(
        ids: WindowManager = WindowManager(), webEngine: some WebEngine = PageHistoryEngine(),
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        partition = .regular
        common = WindowsOfProfile(ids: ids, webEngine: webEngine, now: now)
    }

    private init(incognitoOf regular: WindowList) {
        partition = .incognito
        common = regular.common
        self.regular = regular
    }

    /// The list of the profile's incognito windows; on that list, itself.
    public var incognito: WindowList {
        guard partition == .regular else { return self }
        let list = otherPartition ?? WindowList(incognitoOf: self)
        otherPartition = list
        return list
    }

    /// Assigns the identifiers of windows, so that they are unique.
    public var ids: WindowManager { common.ids }
    /// The tabs of all windows in both partitions, which keeps their identifiers unique.
    package var registry: TabRegistry { common.registry }

    /// The list of what belongs to the profile and to no window: spaces, containers, and tabs that windows
    /// show together; see ``Window/show(_:)``. It is empty at first.
    ///
    /// A session restorer saves it as a session of its own, and brings it back with the windows. That of
    /// the incognito partition goes with the last private tab in a window.
    public var library: TabList {
        openLibrary ?? make(.profileWide, libraryKind, nil).tabs
    }

    /// The library if anything asked for it; `nil` if there is none.
    var openLibrary: TabList? { window(.profileWide, kind: libraryKind)?.tabs }

    private var libraryKind: SessionKind {
        partition == .regular ? .library : .incognitoLibrary
    }

    /// The windows of this partition.
    private var own: [Window] { common.shown(incognito: partition == .incognito) }

    /// All open windows of the profile, of every kind, in the order of opening.
    package var windows: [Window] { common.all }

    /// Returns the open windows with an identifier, of any kind.
    package func windows(with id: WindowID) -> [Window] { common.windows(with: id) }

    /// Adds an observer, which is held weakly. Adding it again has no effect.
    public func addObserver(_ observer: any WindowListObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer. Does nothing if it was not added.
    public func removeObserver(_ observer: any WindowListObserver) { observers.remove(observer) }

    /// Returns the windows of a kind; none for a kind of the other partition.
    public func windows(of kind: SessionKind) -> [Window] {
        guard kind.partition == partition else { return [] }
        return (kind.role == .window ? own : common.all).filter { $0.kind == kind }
    }

    /// Returns the open window with an identifier and kind; `nil` if there is none.
    ///
    /// - Parameter id: the identifier of the window.
    /// - Parameter kind: `nil` for the ordinary kind of this partition, `regular` or `incognito`.
    public func window(_ id: WindowID, kind: SessionKind? = nil) -> Window? {
        let kind = kind ?? ordinaryKind
        guard kind.partition == partition else { return nil }
        return common.windows(with: id).first { $0.kind == kind }
    }

    var ordinaryKind: SessionKind { partition == .regular ? .regular : .incognito }

    /// Returns the list that windows of a kind belong to.
    package func list(of kind: SessionKind) -> WindowList {
        guard kind.partition != partition else { return self }
        return partition == .regular ? incognito : regular ?? self
    }

    /// Opens an empty window for a reservation, and confirms the reservation.
    ///
    /// - Throws: ``WindowListError/otherPartition(_:)`` in incognito, and for a kind that is not
    ///   a regular window, because only these are reserved; ``WindowListError/identifier(_:)`` if the reservation was confirmed
    ///   or canceled before.
    @discardableResult
    public func open(
        _ reservation: WindowReservation, attributes: SessionAttributes? = nil
    ) throws(WindowListError) -> Window {
        guard partition == .regular, reservation.kind.isReopenable else {
            throw .otherPartition(partition == .regular ? reservation.kind : .regular)
        }
        do throws(WindowIDError) { try reservation.confirm() } catch { throw .identifier(error) }
        return make(reservation.id, reservation.kind, attributes)
    }

    /// Opens an empty window, with a new identifier by default. A session restorer brings back what
    /// was saved of it.
    ///
    /// - Parameters:
    ///   - id: the identifier of the window to reopen; `nil` for a new one.
    ///   - kind: `nil` for the ordinary kind of this partition, `regular` or `incognito`. Its
    ///     `SessionKind.role` determines the behavior: tabs of kinds that are not windows, such as
    ///     `inactive`, are not realized when they become active, and companions have the identifier
    ///     of the regular window that they belong to.
    ///   - attributes: the name, times and properties, if known.
    /// - Throws: ``WindowListError/otherPartition(_:)`` for a kind of the other partition;
    ///   ``WindowListError/identifier(_:)`` if the identifier is in use, or never identifies a
    ///   window; ``WindowListError/alreadyOpen(_:)`` for an open window of a kind without
    ///   reservations.
    @discardableResult
    public func open(
        _ id: WindowID? = nil, kind: SessionKind? = nil,
        attributes: SessionAttributes? = nil
    ) throws(WindowListError) -> Window {
        let kind = kind ?? ordinaryKind
        guard kind.partition == partition else { throw .otherPartition(kind) }
        guard let id else {
            let reservation = ids.reserveNew(kind: kind.isReopenable ? kind : .regular)
            if kind.isReopenable { return try open(reservation, attributes: attributes) }
            return make(reservation.id, kind, attributes)
        }
        guard !kind.isReopenable else {
            let reservation: WindowReservation
            do throws(WindowIDError) { reservation = try ids.reserve(id, kind: kind) } catch {
                throw .identifier(error)
            }
            return try open(reservation, attributes: attributes)
        }
        guard kind.role == .library ? id == .profileWide : !ids.sentinels.contains(id)
        else { throw .identifier(.sentinel(id)) }
        guard window(id, kind: kind) == nil else {
            throw .alreadyOpen(SessionID(window: id, kind: kind))
        }
        return make(id, kind, attributes)
    }

    private func make(
        _ id: WindowID, _ kind: SessionKind, _ attributes: SessionAttributes?
    ) -> Window {
        let time = common.now()
        let tabs = TabList(
            isIncognito: partition == .incognito,
            realizesActiveTab: kind.role == .window, rules: structureRules,
            engine: common.webEngine, registry: registry, now: common.now)
        tabs.delegate = tabListDelegate ?? regular?.tabListDelegate
        tabs.realizationMonitor = realizationMonitor ?? regular?.realizationMonitor
        let window = Window(
            id: id, kind: kind, number: common.nextNumber(),
            attributes: attributes ?? SessionAttributes(createdAt: time, lastActiveAt: time),
            tabs: tabs, now: common.now)
        window.profileWindows = self
        common.append(window)
        for observer in observers.current { observer.windowList(self, did: .opened(window)) }
        return window
    }

    /// Closes a window and removes its tabs from memory. What is saved of them remains, and the
    /// window can be reopened with them. To close the tabs permanently, close them first.
    ///
    /// A window of the profile's other partition is closed in the list of that partition.
    ///
    /// - Parameters:
    ///   - window: the window to close.
    ///   - reason: whether the user closed the window or the app ends. If the host cannot know, for
    ///     example when a desktop closes one window after another, use `byUser`: a session restorer
    ///     brings back the windows that closed last and together, if the app ended with them.
    /// - Throws: ``WindowListError/notOpen(_:)`` if the window is not open in the profile, or is
    ///   already being closed.
    public func close(
        _ window: Window, reason: WindowClosingReason = .byUser
    ) throws(WindowListError) {
        guard window.kind.partition == partition || list(of: window.kind) === self else {
            return try list(of: window.kind).close(window, reason: reason)
        }
        guard window.closing == nil,
            common.windows(with: window.id).contains(where: { $0 === window })
        else { throw .notOpen(window.sessionID) }
        window.closing = reason
        if window.isInForeground { window.enterBackground() }
        for observer in observers.current { observer.windowList(self, did: .willClose(window)) }
        common.remove(window)
        window.isClosed = true
        if window.kind.isReopenable {
            let hidden = common.windows(with: window.id).filter { $0.kind.role == .companion }
            try? ids.didClose(
                window, hiddenTabs: hidden.reduce(0) { $0 + $1.tabs.count }, at: common.now())
        }
        window.tabs.isAbandoned = true
        for observer in observers.current { observer.windowList(self, did: .closed(window)) }
        window.tabs.abandon()
    }
}

/// The windows in the order of opening, indexed from 0. As with an array, an index that is out of
/// bounds stops the program.
extension WindowList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { own.count }
    public subscript(index: Int) -> Window { own[index] }

    /// Iterates over the windows that are open now. Windows can open and close meanwhile.
    public func makeIterator() -> IndexingIterator<[Window]> { own.makeIterator() }
}

/// A change to the windows of a profile.
public enum WindowListChange {
    /// An empty window was opened.
    case opened(Window)
    /// The window is about to close and still has its tabs.
    case willClose(Window)
    /// The window is no longer in the list. Its tabs leave memory after the notification.
    case closed(Window)
}

/// Receives the changes of window lists.
public protocol WindowListObserver: AnyObject {
    /// Tells the observer of a change to the windows of a list.
    func windowList(_ list: WindowList, did change: WindowListChange)
}

/// The reason a window could not be opened or closed.
public enum WindowListError: Error, Hashable, Sendable {
    /// The identifier is in use, or is not that of a window.
    case identifier(WindowIDError)
    /// A window with this identifier and kind is already open.
    case alreadyOpen(SessionID)
    /// The window is not open in the profile, or is already being closed.
    case notOpen(SessionID)
    /// Windows of this kind belong to the list of the profile's other partition.
    case otherPartition(SessionKind)
}

extension WindowListError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .identifier(let error): "\(error)"
        case .alreadyOpen(let id):
            "The window \(id) is open already: find it with WindowList.window(_:kind:)."
        case .notOpen(let id): "The window \(id) is not open in this list."
        case .otherPartition(let kind):
            "Windows of the kind '\(kind.rawValue)' are in the list of the profile's other partition: open "
                + "them in WindowList.incognito, or in the list of the regular profile."
        }
    }
}
