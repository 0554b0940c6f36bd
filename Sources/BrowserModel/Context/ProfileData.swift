/// Data that belongs to a profile and ends with it; see ``Profile/attach(_:)``.
public protocol ProfileData: AnyObject {
    /// The profile released the data because it ended. This happens after its services have ended,
    /// in reverse order of attachment. Not called for data that was detached or replaced.
    func profileDidEnd()
}

extension ProfileData {
    public func profileDidEnd() {}
}

extension Profile {
    /// Returns the attached data of a type; `nil` if there is none. The incognito profile has
    /// its own. The data is available until it has ended.
    ///
    /// - Throws: ``ProfileError/ended(profile:)`` if the profile has ended.
    public func data<Data: ProfileData>(_ type: Data.Type) throws(ProfileError) -> Data? {
        guard !hasEnded else { throw .ended(profile: name) }
        return userData[type] as? Data
    }

    /// Attaches data to the profile, which owns it from now on. There is at most one value of each
    /// type; it replaces data of the same type.
    ///
    /// - Returns: the replaced data, which now belongs to the caller; `nil` if there was none.
    /// - Throws: ``ProfileError/ended(profile:)`` if the profile is shutting down or has ended.
    @discardableResult
    public func attach<Data: ProfileData>(_ data: Data) throws(ProfileError) -> Data? {
        guard isActive else { throw .ended(profile: name) }
        let replaced = userData.remove(Data.self) as? Data
        userData.append(data, as: Data.self)
        return replaced
    }

    /// Detaches data from the profile.
    ///
    /// - Returns: the data, which now belongs to the caller; `nil` if there was none of the type.
    /// - Throws: ``ProfileError/ended(profile:)`` if the profile has ended.
    @discardableResult
    public func detach<Data: ProfileData>(_ type: Data.Type) throws(ProfileError) -> Data? {
        guard !hasEnded else { throw .ended(profile: name) }
        return userData.remove(type) as? Data
    }
}

/// Data by type, in the order of attachment.
struct UserData {
    private var entries: [(type: ObjectIdentifier, data: any ProfileData)] = []

    subscript(type: any ProfileData.Type) -> (any ProfileData)? {
        let type = ObjectIdentifier(type)
        return entries.first { $0.type == type }?.data
    }

    mutating func append(_ data: any ProfileData, as type: any ProfileData.Type) {
        entries.append((ObjectIdentifier(type), data))
    }

    mutating func remove(_ type: any ProfileData.Type) -> (any ProfileData)? {
        let type = ObjectIdentifier(type)
        guard let index = entries.firstIndex(where: { $0.type == type }) else { return nil }
        return entries.remove(at: index).data
    }

    /// Removes and returns the data that was attached last; `nil` if there is none.
    mutating func removeLast() -> (any ProfileData)? { entries.popLast()?.data }
}
