/// What is shared by all profiles of a program. The host makes one at its start and passes it on;
/// it is not a global, so that tests and servers can have many.
public struct ApplicationContext {
    /// Settings of this device, not synchronized.
    public let localSettings: LocalSettings
    /// The profiles.
    public let profiles: ProfileManager

    /// - Parameters:
    ///   - root: the directory that has one directory for each profile.
    ///   - services: the services that each profile has.
    ///   - localSettings: the default keeps nothing beyond the process.
    public init(
        root: String,
        services: ServiceRegistry = ServiceRegistry(),
        localSettings: LocalSettings = LocalSettings()
    ) {
        self.localSettings = localSettings
        profiles = ProfileManager(root: root, services: services, localSettings: localSettings)
    }
}
