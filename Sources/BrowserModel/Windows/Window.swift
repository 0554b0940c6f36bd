public import BrowserSessions

/// A window, or one of the places for tabs that belong to it.
///
/// A window of the screen has up to three: its `regular` tabs, its
/// `incognito` tabs and its `inactive` ones. They share the window's
/// identifier and are told apart by their ``kind``; each is a session of its own where it is saved.
public final class Window {
    public let id: WindowID
    public let kind: SessionKind
    public let tabs: TabList
    /// The window's name, times and properties as they are saved. Its groups and its active tab are
    /// those of ``tabs``.
    public private(set) var attributes: SessionAttributes
    /// Whether the user sees the window, or could: it is not in the background.
    public var isInForeground: Bool { isShown == true }
    /// `nil` until somebody says whether the user can see it.
    package private(set) var isShown: Bool?
    /// Whether the window was closed.
    public internal(set) var isClosed = false
    /// Why the window was closed, or is being closed; `nil` while it is open.
    public internal(set) var closing: WindowClosingReason?
    /// Orders this closing among others, also of earlier launches: the later one has the greater number.
    /// Set by a session restorer when the window closes; `nil` if there is none.
    package var closingNumber: Int64?
    /// Orders the windows by their opening.
    let number: Int
    private let now: @Sendable () -> Timestamp
    private var observers = Observers<any WindowObserver>()

    init(
        id: WindowID, kind: SessionKind, number: Int, attributes: SessionAttributes, tabs: TabList,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.number = number
        self.attributes = attributes
        self.tabs = tabs
        self.now = now
    }

    /// What the window is called where it is saved.
    public var sessionID: SessionID { SessionID(window: id, kind: kind) }
    public var isOffTheRecord: Bool { kind.side == .incognito }

    public func addObserver(_ observer: any WindowObserver) {
        observers.add(observer) { [weak observer] in observer }
    }
    public func removeObserver(_ observer: any WindowObserver) { observers.remove(observer) }

    /// The name that the user gave; empty if there is none.
    public var title: String {
        get { attributes.title }
        set { change { $0.title = newValue } }
    }

    /// Sets or, with `nil`, removes a small attribute of the host, such as the window's frame.
    public func setProperty(_ name: String, to value: String?) {
        change { $0.properties[name] = value }
    }

    /// The user can see the window now. Does nothing if it is in the foreground already.
    ///
    /// - Parameter time: when that began; `nil` for now, by the clock of the window's list.
    public func enterForeground(at time: Timestamp? = nil) {
        guard !isInForeground else { return }
        isShown = true
        change { $0.lastActiveAt = time ?? now() }
        tell(.enteredForeground)
    }

    /// The user cannot see the window. What changed in it is saved at once. Does nothing if it was said
    /// before.
    public func enterBackground() {
        guard isShown != false else { return }
        isShown = false
        tell(.enteredBackground)
    }

    /// Takes over attributes that were saved, without telling anybody.
    public func restore(_ attributes: SessionAttributes) { self.attributes = attributes }

    private func change(_ change: (inout SessionAttributes) -> Void) {
        var changed = attributes
        change(&changed)
        guard changed != attributes else { return }
        attributes = changed
        tell(.attributesChanged)
    }

    func tell(_ event: WindowEvent) {
        for observer in observers.current { observer.window(self, did: event) }
    }
}

/// Why a window closes.
public enum WindowClosingReason: Hashable, Sendable {
    /// The user closed it: it is offered to be reopened, and off the record it is gone.
    case byUser
    /// The app ends, or the system takes its windows away: it comes back at the next launch as it is, off
    /// the record, too, as far as that is restored.
    case appEnds
}

/// What happened to a window.
public enum WindowEvent: Hashable, Sendable {
    case enteredForeground
    case enteredBackground
    /// Its name, times or properties changed.
    case attributesChanged
}

/// Hears what happens to windows.
public protocol WindowObserver: AnyObject {
    func window(_ window: Window, did event: WindowEvent)
}
