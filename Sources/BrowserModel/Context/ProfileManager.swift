public import BrowserSessions

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
    /// The profiles of this process in the order in which they were created; empty if there are
    /// none. See ``knownNames()`` for those of earlier processes.
    public private(set) var profiles: [Profile] = []
    /// Names of profiles whose services are being made, folded.
    private var namesInCreation: [String: String] = [:]
    private let names: any ProfileNameStorage
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - root: the directory that has one directory for each profile.
    ///   - services: the services that each profile has.
    ///   - localSettings: the settings that all profiles share.
    ///   - names: keeps the names of the profiles; the default keeps nothing beyond the process.
    ///   - now: the wall clock of all profiles; see ``Profile/now``.
    public init(
        root: String,
        services: ServiceRegistry = ServiceRegistry(),
        localSettings: LocalSettings = LocalSettings(),
        names: any ProfileNameStorage = MemoryProfileNames(),
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        var root = root
        while root.count > 1, root.last == "/" { root.removeLast() }
        self.root = root
        self.services = services
        self.localSettings = localSettings
        self.names = names
        self.now = now
    }

    deinit { endAll() }

    /// The names of all profiles that were created and not removed, also by earlier processes if
    /// they are kept, in the order in which they were first created. None if there never was one.
    ///
    /// Throws ``ProfileError/namesUnreadable(underlying:)``; nothing is given up then.
    public func knownNames() throws(ProfileError) -> [String] {
        do { return try names.names() } catch { throw .namesUnreadable(underlying: error) }
    }

    private func keep(_ known: [String]) throws(ProfileError) {
        do { try names.setNames(known) } catch { throw .namesNotWritten(underlying: error) }
    }

    /// Creates a profile with the services that it must have from the start, or makes one again
    /// that an earlier process had, and keeps its name. Makes no directory.
    ///
    /// - Parameter name: 1 to 64 characters (at most 255 bytes) that make one path component: no
    ///   slash, backslash, colon or control character, no space at either end, no full stop
    ///   at the end.
    ///
    /// Throws ``ProfileError/illegalName(_:reason:)``, ``ProfileError/nameTaken(_:by:)`` also for a
    /// name that differs only in case from that of a known one, since both may be one directory,
    /// ``ProfileError/serviceFailed(profile:_:)``, ``ProfileError/namesUnreadable(underlying:)`` or
    /// ``ProfileError/namesNotWritten(underlying:)``; then there is no profile.
    @discardableResult
    public func create(_ name: String) throws(ProfileError) -> Profile {
        try ProfileName.check(name)
        let folded = ProfileName.folded(name)
        if let other = namesInCreation[folded] { throw .nameTaken(name, by: other) }
        if let other = profiles.first(where: { ProfileName.folded($0.name) == folded }) {
            throw .nameTaken(name, by: other.name)
        }
        let known = try knownNames().first { ProfileName.folded($0) == folded }
        if let known, known != name { throw .nameTaken(name, by: known) }
        // As it was written then: the directory may have that name alone.
        let name = known ?? name
        namesInCreation[folded] = name
        defer { namesInCreation[folded] = nil }
        let directory = root.last == "/" ? root + name : "\(root)/\(name)"
        let profile = Profile(
            name: name, directory: directory, registry: services, localSettings: localSettings,
            now: now, manager: self)
        do throws(ServiceError) {
            try profile.services.makeEarlyServices(of: profile)
        } catch {
            profile.finish()
            throw .serviceFailed(profile: name, error)
        }
        do throws(ProfileError) {
            let names = try knownNames()
            if !names.contains(name) { try keep(names + [name]) }
        } catch {
            profile.finish()
            throw error
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

    /// Ends a profile, if this process has it, and forgets its name. Its directory stays: what is
    /// deleted is for the host to say.
    ///
    /// Throws ``ProfileError/notFound(_:known:)`` if the name is not known,
    /// ``ProfileError/namesUnreadable(underlying:)`` or
    /// ``ProfileError/namesNotWritten(underlying:)``; then nothing has changed.
    public func remove(_ name: String) throws(ProfileError) {
        let known = try knownNames()
        guard known.contains(name) else { throw .notFound(name, known: known) }
        try keep(known.filter { $0 != name })
        self[name]?.end()
    }

    /// Ends all profiles, the last created first. Their names stay known, and they can be created
    /// again.
    public func endAll() {
        while let profile = profiles.last {
            profile.end()
            // Still there if this was called while it was ending.
            forget(profile)
        }
    }

    func forget(_ profile: Profile) { profiles.removeAll { $0 === profile } }
}
