public import BrowserSessions

/// Creates, finds and removes the profiles of a program, and owns them.
///
/// Call ``endAll()`` when the program quits. A manager that is released does this itself, on the
/// thread that releases it.
public final class ProfileManager {
    /// The directory that contains a directory for each profile, without a trailing slash.
    package let root: String
    /// The services of each profile.
    package let services: ServiceRegistry
    /// The settings that all profiles share.
    package let localSettings: LocalSettings
    /// The profiles of this process in the order of creation; empty if there are none.
    /// ``knownNames()`` includes those of earlier processes.
    public private(set) var profiles: [Profile] = []
    /// The names of profiles with services that are being made, by folded name.
    private var namesInCreation: [String: String] = [:]
    private let names: any SettingsStorage
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - root: the directory that contains a directory for each profile.
    ///   - services: the services of each profile.
    ///   - localSettings: the settings that all profiles share.
    ///   - names: where the names of the profiles are kept, as the setting `profiles`; by default, they do not
    ///     outlive the process.
    ///   - now: the wall clock of all profiles; see ``Profile/now``.
    public init(
        root: String,
        services: ServiceRegistry = ServiceRegistry(),
        localSettings: LocalSettings = LocalSettings(),
        names: (any SettingsStorage)? = nil,
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        var root = root
        while root.count > 1, root.last == "/" { root.removeLast() }
        self.root = root
        self.services = services
        self.localSettings = localSettings
        self.names = names ?? MemorySettingsStorage()
        self.now = now
    }

    deinit { endAll() }

    /// Returns the names of all profiles that were created and not removed, in the order of first
    /// creation; empty if there are none. Includes earlier processes if the names are stored.
    ///
    /// - Throws: ``ProfileError/namesUnreadable(underlying:)``; no names are lost then.
    public func knownNames() throws(ProfileError) -> [String] {
        do {
            // A newer version says so, and keeps what is not understood here.
            switch (try names.setting(named: "profiles"), try names.setting(named: "version")) {
            case (nil, nil): return []
            case (.texts(let names)?, nil), (.texts(let names)?, .integer(1)?):
                for name in names { try ProfileName.check(name) }
                return names
            default:
                throw StorageError(
                    .corrupted, "they are no list of profiles: repair it or move it away",
                    operation: "profile names")
            }
        } catch {
            throw .namesUnreadable(underlying: error)
        }
    }

    private func keep(_ known: [String]) throws(ProfileError) {
        do { try names.setSetting(.texts(known), named: "profiles") } catch {
            throw .namesNotWritten(underlying: error)
        }
    }

    /// Creates a profile with the services that it must have from the start, and stores its name.
    /// The profile may have existed in an earlier process. Does not create a directory.
    ///
    /// - Parameter name: 1 to 64 characters (at most 255 bytes) that form one path component: no
    ///   slash, backslash, colon or control character, no space at either end, no period at the
    ///   end.
    /// - Throws: ``ProfileError/illegalName(_:reason:)``; ``ProfileError/nameTaken(_:by:)``, also
    ///   for a name that differs only in case from a known one, because both could be one
    ///   directory; ``ProfileError/serviceFailed(profile:_:)``;
    ///   ``ProfileError/namesUnreadable(underlying:)``;
    ///   ``ProfileError/namesNotWritten(underlying:)``. In these cases there is no profile.
    ///   ``ProfileError/ended(profile:)`` if one of its services ends it at once; its name is then
    ///   stored.
    @discardableResult
    public func create(named name: String) throws(ProfileError) -> Profile {
        try ProfileName.check(name)
        let folded = ProfileName.folded(name)
        if let other = namesInCreation[folded] { throw .nameTaken(name, by: other) }
        if let other = profiles.first(where: { ProfileName.folded($0.name) == folded }) {
            throw .nameTaken(name, by: other.name)
        }
        let known = try knownNames().first { ProfileName.folded($0) == folded }
        if let known, known != name { throw .nameTaken(name, by: known) }
        // Use the stored spelling, because the directory may have exactly that name.
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
        profile.runPendingRequests()
        guard profile.isActive else { throw .ended(profile: name) }
        return profile
    }

    /// The profile with exactly this name; `nil` if there is none.
    public subscript(name: String) -> Profile? { profiles.first { $0.name == name } }

    /// Ends a profile if this process has it, and forgets its name. Its directory remains: the host
    /// decides what is deleted.
    ///
    /// - Throws: ``ProfileError/notFound(_:known:)`` if the name is unknown,
    ///   ``ProfileError/namesUnreadable(underlying:)`` or
    ///   ``ProfileError/namesNotWritten(underlying:)``. In that case nothing has changed.
    public func remove(named name: String) throws(ProfileError) {
        let known = try knownNames()
        guard known.contains(name) else { throw .notFound(name, known: known) }
        try keep(known.filter { $0 != name })
        self[name]?.end()
    }

    /// Ends all profiles, the last created first. Their names stay known, and the profiles can be
    /// created again.
    public func endAll() {
        while let profile = profiles.last {
            profile.end()
            // The profile is still there if this was called while it was ending.
            forget(profile)
        }
    }

    func forget(_ profile: Profile) { profiles.removeAll { $0 === profile } }
}
