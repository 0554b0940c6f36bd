public import BrowserSessions
import StorageEngines

/// The state that all profiles of a program share. The host creates one at launch and passes it on;
/// it is not a global, so that tests and servers can have many.
///
/// ``init(keptIn:services:now:)`` keeps the names of the profiles and the local settings in files.
/// ``init(root:services:localSettings:names:now:)`` keeps them where the host chooses; by default,
/// they do not outlive the process.
public struct ApplicationContext {
    /// Settings of this device, which are not synchronized.
    public let localSettings: LocalSettings
    /// The manager that creates, finds, removes, and owns the profiles.
    public let profiles: ProfileManager

    /// - Parameters:
    ///   - root: the directory that contains a directory for each profile.
    ///   - services: the services of each profile.
    ///   - localSettings: the settings; by default, they do not outlive the process.
    ///   - names: the names of the profiles; by default, they do not outlive the process.
    ///   - now: the wall clock of all profiles; see ``Profile/now``.
    public init(
        root: String,
        services: ServiceRegistry = ServiceRegistry(),
        localSettings: LocalSettings = LocalSettings(),
        names: (any SettingsStorage)? = nil,
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        self.localSettings = localSettings
        profiles = ProfileManager(
            root: root, services: services, localSettings: localSettings, names: names, now: now)
    }

    /// Creates a context that keeps the names of profiles and the local settings in two files
    /// beside the profiles, `profiles.json` and `settings.json`. A directory can have only one
    /// context at a time.
    ///
    /// - Parameters:
    ///   - root: the directory that contains a directory for each profile; created if missing.
    ///   - services: the services of each profile.
    ///   - now: the wall clock of all profiles; see ``Profile/now``.
    /// - Throws: the `StorageError` of the file system if the directory cannot be created. The
    ///   files are read when they are needed; see ``ProfileManager/knownNames()`` and
    ///   `LocalSettings.value(of:)`.
    public init(
        keptIn root: String, services: ServiceRegistry = ServiceRegistry(),
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) throws(StorageError) {
        try FileSystem.makeDirectories(root)
        let settings = SettingsFile(path: "\(root)/\(ProfileName.settingsFile)")
        self.init(
            root: root, services: services, localSettings: LocalSettings(storage: settings),
            names: SettingsFile(path: "\(root)/\(ProfileName.listFile)"), now: now)
    }
}
