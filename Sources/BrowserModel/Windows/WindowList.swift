public import BrowserSessions

/// The open windows of a profile, with those of its off-the-record side.
public final class WindowList {
    /// In the order in which they were opened.
    public private(set) var windows: [Window] = []
    /// Knows the tabs of all windows, so that no identifier is there twice.
    public let registry = TabRegistry()
    /// Attaches helpers to the tabs of all windows; given to the list of each window that is opened
    /// afterwards. The window list keeps it alive.
    public var tabListDelegate: (any TabListDelegate)?
    /// Given to the list of each window that is opened afterwards.
    public var realizationMonitor: RealizationMonitor?

    /// Gives out the identifiers of windows, so that no two windows get the same one.
    public let ids: WindowManager

    private let now: @Sendable () -> Timestamp
    private var observers = Observers<any WindowListObserver>()

    /// - Parameters:
    ///   - ids: knows which identifiers are in use, and which stand for no window.
    ///   - now: the wall clock, for the times that windows and tabs note.
    public init(
        ids: WindowManager = WindowManager(), now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.ids = ids
        self.now = now
    }

    public func addObserver(_ observer: any WindowListObserver) { observers.add(observer) }
    public func removeObserver(_ observer: any WindowListObserver) { observers.remove(observer) }

    /// The windows of a kind.
    public func windows(of kind: SessionKind) -> [Window] { windows.filter { $0.kind == kind } }

    /// An open window; `nil` if there is none with the identifier and kind.
    public func window(_ id: WindowID, _ kind: SessionKind = .regular) -> Window? {
        windows.first { $0.id == id && $0.kind == kind }
    }

    /// Opens an empty window for a reservation, and confirms it.
    @discardableResult
    public func open(
        _ reservation: WindowReservation, attributes: SessionAttributes? = nil
    ) throws(WindowListError) -> Window {
        do throws(WindowIDError) { try reservation.confirm() } catch { throw .identifier(error) }
        return make(reservation.id, .regular, attributes)
    }

    /// Opens an empty window, with a new identifier unless one is given. What was saved of it comes
    /// back through a session restorer.
    ///
    /// - Parameters:
    ///   - id: that of the window to open again; `nil` for a new one.
    ///   - kind: `incognito` makes it one of the off-the-record side. Tabs of kinds that are not on
    ///     the screen, such as `inactive`, are not realized when they become active. Windows of
    ///     these kinds have the identifier of the regular window that they belong to, or one of
    ///     their own.
    ///   - attributes: its name, times and properties, if they are known.
    @discardableResult
    public func open(
        _ id: WindowID? = nil, kind: SessionKind = .regular,
        attributes: SessionAttributes? = nil
    ) throws(WindowListError) -> Window {
        guard let id else {
            let reservation = ids.reserveNew()
            if kind == .regular { return try open(reservation, attributes: attributes) }
            return make(reservation.id, kind, attributes)
        }
        guard kind != .regular else {
            let reservation: WindowReservation
            do throws(WindowIDError) { reservation = try ids.reserve(id) } catch {
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
        let time = now()
        let tabs = TabList(
            isOffTheRecord: kind.side == .incognito,
            realizesActiveTab: kind == .regular || kind.side == .incognito,
            registry: registry, now: now)
        tabs.delegate = tabListDelegate
        tabs.realizationMonitor = realizationMonitor
        let window = Window(
            id: id, kind: kind,
            attributes: attributes ?? SessionAttributes(createdAt: time, lastActiveAt: time),
            tabs: tabs)
        windows.append(window)
        for observer in observers.current { observer.windowList(self, did: .opened(window)) }
        return window
    }

    /// Closes a window. Its tabs are gone from memory; what is saved of them stays, and the window
    /// can be opened again with them. To close the tabs for good, close them first.
    ///
    /// A window that is being closed can't be closed once more: that throws
    /// ``WindowListError/notOpen(_:)``.
    public func close(_ window: Window) throws(WindowListError) {
        guard !window.isClosing, windows.contains(where: { $0 === window }) else {
            throw .notOpen(window.sessionID)
        }
        window.isClosing = true
        window.enterBackground()
        for observer in observers.current { observer.windowList(self, did: .willClose(window)) }
        windows.removeAll { $0 === window }
        window.isClosed = true
        if window.kind == .regular { try? ids.didClose(window.id, at: now()) }
        for observer in observers.current { observer.windowList(self, did: .closed(window)) }
        window.tabs.abandon()
    }
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
}

extension WindowListError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .identifier(let error): "\(error)"
        case .alreadyOpen(let id):
            "The window \(id) is open already: find it in WindowList.windows."
        case .notOpen(let id): "The window \(id) is not open in this list."
        }
    }
}
