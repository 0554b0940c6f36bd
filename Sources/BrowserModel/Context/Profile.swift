public import BrowserSessions

/// One user's part of the browser: a directory, services, user data, and at most one incognito
/// profile.
///
/// A ``ProfileManager`` creates profiles and owns them. A host extends a profile with user data
/// (``attach(_:)``) for what is only data, and with a service for what has behavior.
public final class Profile {
    /// The name. An incognito profile has the name of its original.
    public let name: String
    /// The directory for the profile's data. The model itself does not create or read files.
    public let directory: String
    /// Whether this is the incognito profile of another, its ``original``.
    public let isIncognito: Bool
    /// The settings that all profiles share.
    public let localSettings: LocalSettings
    /// The wall clock, which provides every time recorded for the windows and tabs of both
    /// partitions. Services should use it too; a host passes it to the tabs that it creates, with
    /// `createdAt: profile.now()`.
    public let now: @Sendable () -> Timestamp
    /// The open windows of this partition. The list of an incognito profile opens incognito
    /// windows.
    public let windows: WindowList

    let services: ServiceContainer
    var userData = UserData()
    var observers = Observers<any ProfileObserver>()
    /// The incognito profile while it exists.
    var incognitoPartition: Profile?
    /// Whether the incognito profile is being created or destroyed.
    var isChangingIncognito = false
    /// Whether a request to destroy the incognito profile is waiting.
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
        isIncognito = false
        self.localSettings = localSettings
        self.now = now
        windows = WindowList(now: now)
        services = ServiceContainer(registry: registry, making: ServiceMaking())
        self.manager = manager
    }

    /// Creates the incognito profile of a profile.
    init(incognitoOf original: Profile) {
        name = original.name
        directory = original.directory + "/OTR"
        isIncognito = true
        localSettings = original.localSettings
        now = original.now
        windows = original.windows.incognito
        services = ServiceContainer(
            registry: original.services.registry, making: original.services.making)
        owner = original
    }

    /// The regular profile; a regular profile is its own original. `nil` for an incognito
    /// profile with an original that is gone.
    public var original: Profile? { isIncognito ? owner : self }

    /// Whether the profile has ended. Its name and directory can still be read; other calls throw
    /// or return an empty result.
    public var hasEnded: Bool { stage == .ended }

    /// Whether services are available, which ends when the profile begins to shut them down.
    var isActive: Bool { stage == .active }

    /// Adds an observer, which is held weakly. Adding it again has no effect.
    public func addObserver(_ observer: any ProfileObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer. Does nothing if it was not added.
    public func removeObserver(_ observer: any ProfileObserver) { observers.remove(observer) }

    /// Ends the profile: first its incognito profile, then its services in the reverse order
    /// of their creation, then its user data in the reverse order of attachment. The manager
    /// forgets the profile, so that the name is available again. Ending it again has no effect.
    ///
    /// While a service is being made, or the incognito profile is being created or destroyed,
    /// the profile ends afterwards, because a service must not see its dependencies shut down. For
    /// an incognito profile, this is the same as ``destroyIncognito()``.
    public func end() {
        if let owner {
            if owner.incognitoPartition === self {
                owner.destroyIncognito()
            } else if owner.isChangingIncognito, !isAboutToEnd {
                owner.destructionIsWaiting = true
            }
        } else if isBusy {
            endIsWaiting = !isAboutToEnd
        } else {
            finish()
        }
    }

    /// Whether neither this profile nor its incognito profile can end now.
    var isBusy: Bool { isChangingIncognito || services.making.isRunning }

    /// Carries out the requests that had to wait.
    func runPendingRequests() {
        guard !isBusy else { return }
        if endIsWaiting {
            endIsWaiting = false
            finish()
        } else if destructionIsWaiting {
            destroyIncognito()
        }
    }

    func tellObservers(_ call: (any ProfileObserver) -> Void) {
        for observer in observers.current { call(observer) }
    }

    /// Does the work of ``end()`` without notifying the original of an incognito profile.
    func finish() {
        guard !isAboutToEnd else { return }
        isAboutToEnd = true
        tellObservers { $0.profileWillEnd(self) }
        if !isIncognito { destroyIncognito() }
        stage = .ending
        services.shutDown()
        // One at a time, because the end of one may detach another.
        while let data = userData.removeLast() { data.profileDidEnd() }
        stage = .ended
        manager?.forget(self)
        tellObservers { $0.profileDidEnd(self) }
    }
}

/// Receives the events of a profile and its incognito profile, which hold it weakly.
///
/// An observer that is added during a call does not receive that call. One that is removed during a
/// call receives no more calls.
public protocol ProfileObserver: AnyObject {
    /// The incognito profile exists, with the services that it has from the start.
    func profile(_ profile: Profile, didCreateIncognito incognito: Profile)
    /// The incognito profile is about to be destroyed. It is still fully functional.
    func profile(_ profile: Profile, willDestroyIncognito incognito: Profile)
    /// The incognito profile has ended and can be created again.
    func profileDidDestroyIncognito(_ profile: Profile)
    /// The profile is about to end. It is still fully functional, except that it does not create an
    /// incognito profile.
    func profileWillEnd(_ profile: Profile)
    /// The profile has ended: its services are shut down and its user data is gone.
    func profileDidEnd(_ profile: Profile)
}

extension ProfileObserver {
    public func profile(_ profile: Profile, didCreateIncognito incognito: Profile) {}
    public func profile(_ profile: Profile, willDestroyIncognito incognito: Profile) {}
    public func profileDidDestroyIncognito(_ profile: Profile) {}
    public func profileWillEnd(_ profile: Profile) {}
    public func profileDidEnd(_ profile: Profile) {}
}
