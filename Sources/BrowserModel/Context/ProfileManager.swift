/// Creates, finds and removes the profiles of a program, and owns them.
///
/// Call ``endAll()`` when the program quits; a manager that is let go of does it itself, on
/// whatever thread that happens.
public final class ProfileManager {
    /// The directory that has one directory for each profile, without a slash at the end.
    public let root: String
    /// The services that each profile has.
    public let services: ServiceRegistry
    public let localSettings: LocalSettings
    /// The profiles in the order in which they were created; empty if there are none.
    public private(set) var profiles: [Profile] = []
    /// Names of profiles whose services are being made, folded.
    private var namesInCreation: [String: String] = [:]

    public init(
        root: String,
        services: ServiceRegistry = ServiceRegistry(),
        localSettings: LocalSettings = LocalSettings()
    ) {
        var root = root
        while root.count > 1, root.last == "/" { root.removeLast() }
        self.root = root
        self.services = services
        self.localSettings = localSettings
    }

    deinit { endAll() }

    /// Creates a profile with the services that it must have from the start. Makes no directory.
    ///
    /// - Parameter name: 1 to 64 characters (at most 255 bytes) that make one path component: no
    ///   slash, backslash, colon or control character, no space at either end, no full stop
    ///   at the end.
    ///
    /// Throws ``ProfileError/illegalName(_:reason:)``, ``ProfileError/nameTaken(_:by:)`` also for a
    /// name that differs only in case, since both may be one directory, or
    /// ``ProfileError/serviceFailed(profile:_:)``; then there is no profile.
    @discardableResult
    public func create(_ name: String) throws(ProfileError) -> Profile {
        try ProfileName.check(name)
        let folded = ProfileName.folded(name)
        if let other = namesInCreation[folded] { throw .nameTaken(name, by: other) }
        if let other = profiles.first(where: { ProfileName.folded($0.name) == folded }) {
            throw .nameTaken(name, by: other.name)
        }
        namesInCreation[folded] = name
        defer { namesInCreation[folded] = nil }
        let directory = root.last == "/" ? root + name : "\(root)/\(name)"
        let profile = Profile(
            name: name, directory: directory, registry: services, localSettings: localSettings,
            manager: self)
        do throws(ServiceError) {
            try profile.services.makeEarlyServices(of: profile)
        } catch {
            profile.finish()
            throw .serviceFailed(profile: name, error)
        }
        profiles.append(profile)
        profile.settle()
        guard profile.isActive else { throw .ended(profile: name) }
        return profile
    }

    /// The profile of exactly that name; `nil` if there is none.
    public subscript(name: String) -> Profile? { profiles.first { $0.name == name } }

    /// The profile of exactly that name.
    ///
    /// Throws ``ProfileError/notFound(_:known:)``.
    public func profile(named name: String) throws(ProfileError) -> Profile {
        if let profile = self[name] { return profile }
        throw .notFound(name, known: profiles.map(\.name))
    }

    /// Ends a profile and forgets it. Its directory stays: what is deleted is for the host to say.
    ///
    /// Throws ``ProfileError/notFound(_:known:)``.
    public func remove(_ name: String) throws(ProfileError) {
        try profile(named: name).end()
    }

    /// Ends all profiles, the last created first. Others can be created afterwards.
    public func endAll() {
        while let profile = profiles.last {
            profile.end()
            // Still there if this was called while it was ending.
            forget(profile)
        }
    }

    func forget(_ profile: Profile) { profiles.removeAll { $0 === profile } }
}
