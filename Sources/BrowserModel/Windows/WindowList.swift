public import BrowserSessions

/// The open windows of one side of a profile: a collection of them in the order in which they were
/// opened.
///
/// The collection has windows alone. Places that belong to a window, such as its inactive tabs, are no
/// windows of the user: ``windows(of:)`` and ``window(_:_:)`` find them by their kind.
///
/// A profile has two, that of its regular windows and, as ``offTheRecord``, that of the others, which
/// share the identifiers of windows and tabs. What is opened in a list is of its side, whatever else is
/// said.
public final class WindowList {
    /// The side of all its windows.
    public let side: StorageSide
    /// Attaches helpers to the tabs of all windows; given to the list of each window that is opened
    /// afterwards. The window list keeps it alive. Off the record that of the regular list is used if
    /// there is none.
    public var tabListDelegate: (any TabListDelegate)?
    /// Given to the list of each window that is opened afterwards; off the record as the delegate is.
    public var realizationMonitor: RealizationMonitor?

    private let common: WindowsOfProfile
    private weak var regular: WindowList?
    private var otherSide: WindowList?
    private var observers = Observers<any WindowListObserver>()

    /// The list of a profile's regular windows.
    ///
    /// - Parameters:
    ///   - ids: knows which identifiers are in use, and which stand for no window.
    ///   - now: the wall clock, for the times that windows and tabs note.
    public init(
        ids: WindowManager = WindowManager(), now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        side = .regular
        common = WindowsOfProfile(ids: ids, now: now)
    }

    private init(offTheRecordOf regular: WindowList) {
        side = .incognito
        common = regular.common
        self.regular = regular
    }

    /// The list of the same profile's windows off the record; of that list, itself.
    public var offTheRecord: WindowList {
        guard side == .regular else { return self }
        let list = otherSide ?? WindowList(offTheRecordOf: self)
        otherSide = list
        return list
    }

    /// Gives out the identifiers of windows, so that no two windows get the same one.
    public var ids: WindowManager { common.ids }
    /// Knows the tabs of all windows of both sides, so that no identifier is there twice.
    public var registry: TabRegistry { common.registry }

    /// The windows of this side.
    private var own: [Window] { common.shown(offTheRecord: side == .incognito) }

    /// All open windows and what belongs to them, in the order in which they were opened.
    package var windows: [Window] { common.all }

    /// The open windows of an identifier, whatever their kind.
    package func windows(with id: WindowID) -> [Window] { common.windows(with: id) }

    public func addObserver(_ observer: any WindowListObserver) {
        observers.add(observer) { [weak observer] in observer }
    }
    public func removeObserver(_ observer: any WindowListObserver) { observers.remove(observer) }

    /// The windows of a kind; none if it is of the other side.
    public func windows(of kind: SessionKind) -> [Window] {
        guard kind.side == side else { return [] }
        return (kind.role == .window ? own : common.all).filter { $0.kind == kind }
    }

    /// An open window; `nil` if there is none with the identifier and kind.
    ///
    /// - Parameter kind: `nil` for the ordinary one of this side, `regular` or `incognito`.
    public func window(_ id: WindowID, _ kind: SessionKind? = nil) -> Window? {
        let kind = kind ?? ordinaryKind
        guard kind.side == side else { return nil }
        return common.windows(with: id).first { $0.kind == kind }
    }

    var ordinaryKind: SessionKind { side == .regular ? .regular : .incognito }

    /// The list of windows of a kind.
    package func list(of kind: SessionKind) -> WindowList {
        guard kind.side != side else { return self }
        return side == .regular ? offTheRecord : regular ?? self
    }

    /// Opens an empty window for a reservation, and confirms it.
    ///
    /// Throws ``WindowListError/otherSide(_:)`` off the record: reservations are for regular windows.
    @discardableResult
    public func open(
        _ reservation: WindowReservation, attributes: SessionAttributes? = nil
    ) throws(WindowListError) -> Window {
        guard side == .regular, reservation.kind.isReopenable else {
            throw .otherSide(side == .regular ? reservation.kind : .regular)
        }
        do throws(WindowIDError) { try reservation.confirm() } catch { throw .identifier(error) }
        return make(reservation.id, reservation.kind, attributes)
    }

    /// Opens an empty window, with a new identifier unless one is given. What was saved of it comes
    /// back through a session restorer.
    ///
    /// - Parameters:
    ///   - id: that of the window to open again; `nil` for a new one.
    ///   - kind: `nil` for the ordinary one of this side, `regular` or `incognito`. What a kind is says
    ///     its `SessionKind.role`: tabs of kinds that are no windows, such as `inactive`, are not
    ///     realized when they become active, and companions have the identifier of the regular window
    ///     that they belong to.
    ///   - attributes: its name, times and properties, if they are known.
    ///
    /// Throws ``WindowListError/otherSide(_:)`` for a kind of the other side, or why the identifier
    /// cannot be used.
    @discardableResult
    public func open(
        _ id: WindowID? = nil, kind: SessionKind? = nil,
        attributes: SessionAttributes? = nil
    ) throws(WindowListError) -> Window {
        let kind = kind ?? ordinaryKind
        guard kind.side == side else { throw .otherSide(kind) }
        guard let id else {
            let reservation = ids.reserveNew(kind.isReopenable ? kind : .regular)
            if kind.isReopenable { return try open(reservation, attributes: attributes) }
            return make(reservation.id, kind, attributes)
        }
        guard !kind.isReopenable else {
            let reservation: WindowReservation
            do throws(WindowIDError) { reservation = try ids.reserve(id, kind) } catch {
                throw .identifier(error)
            }
            return try open(reservation, attributes: attributes)
        }
        guard !ids.sentinels.contains(id) else { throw .identifier(.sentinel(id)) }
        guard window(id, kind) == nil else { throw .alreadyOpen(SessionID(window: id, kind: kind)) }
        return make(id, kind, attributes)
    }

    private func make(
        _ id: WindowID, _ kind: SessionKind, _ attributes: SessionAttributes?
    ) -> Window {
        let time = common.now()
        let tabs = TabList(
            isOffTheRecord: side == .incognito,
            realizesActiveTab: kind.role == .window,
            registry: registry, now: common.now)
        tabs.delegate = tabListDelegate ?? regular?.tabListDelegate
        tabs.realizationMonitor = realizationMonitor ?? regular?.realizationMonitor
        let window = Window(
            id: id, kind: kind, number: common.nextNumber(),
            attributes: attributes ?? SessionAttributes(createdAt: time, lastActiveAt: time),
            tabs: tabs, now: common.now)
        common.append(window)
        for observer in observers.current { observer.windowList(self, did: .opened(window)) }
        return window
    }

    /// Closes a window. Its tabs are gone from memory; what is saved of them stays, and the window
    /// can be opened again with them. To close the tabs for good, close them first.
    ///
    /// A window of the profile's other side is closed there.
    ///
    /// A window that is being closed can't be closed once more: that throws
    /// ``WindowListError/notOpen(_:)``.
    ///
    /// - Parameters:
    ///   - window: the one to close.
    ///   - reason: whether the user closed it, or the app ends. Where a host cannot know, as when a
    ///     desktop takes one window after the other, say `byUser`: a session restorer brings back those
    ///     that closed last and together, if the app ended with them.
    public func close(
        _ window: Window, _ reason: WindowClosingReason = .byUser
    ) throws(WindowListError) {
        guard window.kind.side == side || list(of: window.kind) === self else {
            return try list(of: window.kind).close(window, reason)
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
        for observer in observers.current { observer.windowList(self, did: .closed(window)) }
        window.tabs.abandon()
    }
}

/// The windows in the order in which they were opened, by indexes from 0. An index out of bounds
/// stops the program, as an array's does.
extension WindowList: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { own.count }
    public subscript(index: Int) -> Window { own[index] }

    /// Goes over the windows that are there now: windows may be opened and closed meanwhile.
    public func makeIterator() -> IndexingIterator<[Window]> { own.makeIterator() }
}

/// What happened to the windows of a profile.
public enum WindowListChange {
    case opened(Window)
    /// It is about to close and still has its tabs.
    case willClose(Window)
    case closed(Window)
}

/// Hears of windows that open and close.
public protocol WindowListObserver: AnyObject {
    func windowList(_ list: WindowList, did change: WindowListChange)
}

/// Why a window could not be opened or closed.
public enum WindowListError: Error, Hashable, Sendable {
    /// The identifier is in use, or stands for no window.
    case identifier(WindowIDError)
    case alreadyOpen(SessionID)
    case notOpen(SessionID)
    /// Windows of that kind are in the list of the profile's other side.
    case otherSide(SessionKind)
}

extension WindowListError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .identifier(let error): "\(error)"
        case .alreadyOpen(let id):
            "The window \(id) is open already: find it with WindowList.window(_:_:)."
        case .notOpen(let id): "The window \(id) is not open in this list."
        case .otherSide(let kind):
            "Windows of the kind '\(kind.rawValue)' are in the list of the profile's other side: open "
                + "them in WindowList.offTheRecord, or in the list of the regular profile."
        }
    }
}
