public import BrowserSessions

/// A window or a companion of one, with its own list of tabs.
///
/// A window on screen has up to three of these: its `regular` tabs, its `incognito` tabs and its
/// `inactive` tabs. They share the window's identifier and differ in their ``kind``. Each is saved
/// as a separate session.
public final class Window {
    /// The identifier, which a window shares with its companions.
    public let id: WindowID
    /// The kind, which says whether this is a window or a companion, and in which partition.
    public let kind: SessionKind
    /// The tabs of this kind in the window; empty when the window opens and after it closes.
    public let tabs: TabList
    /// The window's name, times and properties as they are saved. Its groups and its active tab are
    /// those of ``tabs``.
    public private(set) var attributes: SessionAttributes
    /// Whether the user can see the window, that is, whether it is not in the background.
    public var isInForeground: Bool { isShown == true }
    /// Whether the user can see the window; `nil` until the host reports it.
    package private(set) var isShown: Bool?
    /// Whether the window was closed.
    public internal(set) var isClosed = false
    /// The reason the window was closed or is being closed; `nil` while it is open.
    public internal(set) var closing: WindowClosingReason?
    /// The position of this closing among all others, also of earlier launches: a later one is
    /// greater. A session restorer sets it when the window closes; `nil` if there is none.
    package var closingNumber: Int64?
    /// The position of the window in the order of opening.
    let number: Int
    /// The list that the window was opened in.
    weak var profileWindows: WindowList?
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

    /// The identifier under which the window is saved.
    public var sessionID: SessionID { SessionID(window: id, kind: kind) }
    /// Whether the window and its tabs belong to the incognito partition.
    public var isIncognito: Bool { kind.partition == .incognito }

    /// Adds an observer, which is held weakly. Adding it again has no effect.
    public func addObserver(_ observer: any WindowObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer. Does nothing if it was not added.
    public func removeObserver(_ observer: any WindowObserver) { observers.remove(observer) }

    /// The name that the user gave the window; empty if there is none.
    public var title: String {
        get { attributes.title }
        set { change { $0.title = newValue } }
    }

    /// Sets a small attribute of the host, such as the window's frame; `nil` removes it.
    public func setProperty(_ name: String, to value: String?) {
        change { $0.properties[name] = value }
    }

    /// Reports that the user can see the window. Does nothing if it is already in the foreground.
    ///
    /// - Parameter time: the time at which that began; `nil` for the current time of its clock.
    public func enterForeground(at time: Timestamp? = nil) {
        guard !isInForeground else { return }
        isShown = true
        change { $0.lastActiveAt = time ?? now() }
        tell(.enteredForeground)
    }

    /// Reports that the user cannot see the window. Its changes are saved immediately. Does nothing
    /// if this was already reported.
    public func enterBackground() {
        guard isShown != false else { return }
        isShown = false
        tell(.enteredBackground)
    }

    /// Sets attributes that were saved, without notifying observers.
    package func restore(_ attributes: SessionAttributes) { self.attributes = attributes }

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

/// The reason a window closes.
public enum WindowClosingReason: Hashable, Sendable {
    /// The user closed the window. It can be reopened; in incognito, it is gone.
    case byUser
    /// The app ends, or the system removes its windows. The window comes back unchanged at the next
    /// launch; in incognito, only if that is restored.
    case appEnds
}

/// An event of a window.
public enum WindowEvent: Hashable, Sendable {
    /// The user can now see the window.
    case enteredForeground
    /// The user can no longer see the window, or it is about to close.
    case enteredBackground
    /// The name, times or properties changed.
    case attributesChanged
}

/// Receives the events of windows.
public protocol WindowObserver: AnyObject {
    /// Tells the observer of an event of a window, after it happened.
    func window(_ window: Window, did event: WindowEvent)
}
