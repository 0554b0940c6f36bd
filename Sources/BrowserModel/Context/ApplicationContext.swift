public import BrowserSessions
import LocalFiles

/// What is shared by all profiles of a program. The host makes one at its start and passes it on;
/// it is not a global, so that tests and servers can have many.
///
/// ``init(keptIn:services:now:)`` keeps the names of the profiles and the local settings beyond the
/// process; ``init(root:services:localSettings:names:now:)`` keeps what the host says, by default
/// nothing.
public struct ApplicationContext {
    /// Settings of this device, not synchronized.
    public let localSettings: LocalSettings
    /// The profiles.
    public let profiles: ProfileManager

    /// - Parameters:
    ///   - root: the directory that has one directory for each profile.
    ///   - services: the services that each profile has.
    ///   - localSettings: the default keeps nothing beyond the process.
    ///   - names: keeps the names of the profiles; the default keeps nothing beyond the process.
    ///   - now: the wall clock of all profiles; see ``Profile/now``.
    public init(
        root: String,
        services: ServiceRegistry = ServiceRegistry(),
        localSettings: LocalSettings = LocalSettings(),
        names: any ProfileNameStorage = MemoryProfileNames(),
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.localSettings = localSettings
        profiles = ProfileManager(
            root: root, services: services, localSettings: localSettings, names: names, now: now)
    }

    /// A context whose names of profiles and local settings are kept in files beside the profiles,
    /// `profiles.json` and `settings.json`. One for each directory at a time.
    ///
    /// - Parameters:
    ///   - root: the directory that has one directory for each profile; it is made if it is
    ///     missing.
    ///   - services: the services that each profile has.
    ///   - now: the wall clock of all profiles; see ``Profile/now``.
    ///
    /// Throws if the directory cannot be made. The files are read when they are needed: see
    /// ``ProfileManager/knownNames()`` and ``LocalSettings/value(of:)``.
    public init(
        keptIn root: String, services: ServiceRegistry = ServiceRegistry(),
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) throws(StorageError) {
        try FileSystem.makeDirectories(root)
        let settings = SettingsFile(path: "\(root)/\(ProfileName.settingsFile)")
        self.init(
            root: root, services: services, localSettings: LocalSettings(storage: settings),
            names: ProfileNamesFile(path: "\(root)/\(ProfileName.listFile)"), now: now)
    }
}
