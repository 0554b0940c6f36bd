/// Receives the events of a profile and its off-the-record profile, which hold it weakly.
///
/// An observer that is added during a call does not receive that call. One that is removed during a
/// call receives no more calls.
public protocol ProfileObserver: AnyObject {
    /// The off-the-record profile exists, with the services that it has from the start.
    func profile(_ profile: Profile, didCreateOffTheRecord offTheRecord: Profile)
    /// The off-the-record profile is about to be destroyed. It is still fully functional.
    func profile(_ profile: Profile, willDestroyOffTheRecord offTheRecord: Profile)
    /// The off-the-record profile has ended and can be created again.
    func profileDidDestroyOffTheRecord(_ profile: Profile)
    /// The profile is about to end. It is still fully functional, except that it does not create an
    /// off-the-record profile.
    func profileWillEnd(_ profile: Profile)
    /// The profile has ended: its services are shut down and its user data is gone.
    func profileDidEnd(_ profile: Profile)
}

extension ProfileObserver {
    public func profile(_ profile: Profile, didCreateOffTheRecord offTheRecord: Profile) {}
    public func profile(_ profile: Profile, willDestroyOffTheRecord offTheRecord: Profile) {}
    public func profileDidDestroyOffTheRecord(_ profile: Profile) {}
    public func profileWillEnd(_ profile: Profile) {}
    public func profileDidEnd(_ profile: Profile) {}
}
