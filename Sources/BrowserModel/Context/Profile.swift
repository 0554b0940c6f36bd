public import BrowserSessions

/// One user's part of the browser: a directory, services, user data, and at most one
/// off-the-record side, which is a profile as well.
///
/// A ``ProfileManager`` makes profiles and owns them. What a host wants to add to a profile is
/// user data (``attach(_:)``) if it is data, and a service if it does something.
public final class Profile {
    /// The name; the off-the-record side has that of its original.
    public let name: String
    /// Where the profile keeps what it stores. The model itself makes and reads no files.
    public let directory: String
    public let isOffTheRecord: Bool
    /// The settings that all profiles share.
    public let localSettings: LocalSettings
    /// The wall clock: every time that is noted of the profile's windows and tabs is by it, on both
    /// sides. Services take the time from here, too; a tab that a host makes is told with
    /// `createdAt: profile.now()`.
    public let now: @Sendable () -> Timestamp
    /// The open windows of this side: what is opened in the list of the off-the-record side is off the
    /// record.
    public let windows: WindowList

    let services: ServiceContainer
    var userData = UserData()
    var observers = Observers<any ProfileObserver>()
    /// The off-the-record side while it is there.
    var offTheRecordSide: Profile?
    /// Whether the off-the-record side is being created or destroyed.
    var isChangingOffTheRecord = false
    /// Whether the off-the-record side was to be destroyed when that could not be done.
    var destructionIsWaiting = false
    private var endIsWaiting = false
    private weak var owner: Profile?
    private weak var manager: ProfileManager?
    private var stage = Stage.active
    private(set) var isAboutToEnd = false

    private enum Stage { case active, ending, ended }

    init(
        name: String, directory: String, registry: ServiceRegistry, localSettings: LocalSettings,
        now: @escaping @Sendable () -> Timestamp, manager: ProfileManager
    ) {
        self.name = name
        self.directory = directory
        isOffTheRecord = false
        self.localSettings = localSettings
        self.now = now
        windows = WindowList(now: now)
        services = ServiceContainer(registry: registry, making: ServiceMaking())
        self.manager = manager
    }

    /// The off-the-record side of a profile.
    init(offTheRecordOf original: Profile) {
        name = original.name
        directory = original.directory + "/OTR"
        isOffTheRecord = true
        localSettings = original.localSettings
        now = original.now
        windows = original.windows.offTheRecord
        services = ServiceContainer(
            registry: original.services.registry, making: original.services.making)
        owner = original
    }

    /// The regular profile: itself unless it is off the record. `nil` for an off-the-record side
    /// whose original is gone.
    public var original: Profile? { isOffTheRecord ? owner : self }

    /// Whether the profile has ended. Its name and directory can still be read, its other calls
    /// throw or answer that there is nothing.
    public var hasEnded: Bool { stage == .ended }

    /// Whether services are given: until the profile begins to shut them down.
    var isActive: Bool { stage == .active }

    /// Adds an observer, held weakly. Twice is once.
    public func addObserver(_ observer: any ProfileObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer; does nothing if it is none.
    public func removeObserver(_ observer: any ProfileObserver) { observers.remove(observer) }

    /// Ends the profile: its off-the-record side first, then its services in the reverse order of
    /// their making, then its user data in the reverse order of attachment. The manager forgets
    /// it, so that the name can be used again. Twice is fine.
    ///
    /// While a service is being made, or the off-the-record side is being created or destroyed, it
    /// only notes the wish: the profile ends when that is done, because a service must not see
    /// what it depends on shut down. Off the record it is the same as ``destroyOffTheRecord()``.
    public func end() {
        if let owner {
            if owner.offTheRecordSide === self {
                owner.destroyOffTheRecord()
            } else if owner.isChangingOffTheRecord, !isAboutToEnd {
                owner.destructionIsWaiting = true
            }
        } else if isBusy {
            endIsWaiting = !isAboutToEnd
        } else {
            finish()
        }
    }

    /// Whether neither this profile nor its off-the-record side can end at this moment.
    var isBusy: Bool { isChangingOffTheRecord || services.making.isRunning }

    /// Does what was asked for while it could not be done.
    func settle() {
        guard !isBusy else { return }
        if endIsWaiting {
            endIsWaiting = false
            finish()
        } else if destructionIsWaiting {
            destroyOffTheRecord()
        }
    }

    func tellObservers(_ call: (any ProfileObserver) -> Void) {
        for observer in observers.current { call(observer) }
    }

    /// What ``end()`` does, without telling the original of an off-the-record side.
    func finish() {
        guard !isAboutToEnd else { return }
        isAboutToEnd = true
        tellObservers { $0.profileWillEnd(self) }
        if !isOffTheRecord { destroyOffTheRecord() }
        stage = .ending
        services.shutDown()
        // One at a time, since the end of one may detach another.
        while let data = userData.removeLast() { data.profileDidEnd() }
        stage = .ended
        manager?.forget(self)
        tellObservers { $0.profileDidEnd(self) }
    }
}
