/// Hears of the off-the-record side and of the end of a profile. Profiles hold observers weakly.
///
/// An observer that is added during a call does not hear that call; one that is removed during it
/// is not called any more.
public protocol ProfileObserver: AnyObject {
    /// The off-the-record side is there, with the services it has from the start.
    func profile(_ profile: Profile, didCreateOffTheRecord offTheRecord: Profile)
    /// The off-the-record side is about to be destroyed. All of it still works.
    func profile(_ profile: Profile, willDestroyOffTheRecord offTheRecord: Profile)
    /// The off-the-record side has ended; it can be created again.
    func profileDidDestroyOffTheRecord(_ profile: Profile)
    /// The profile is about to end. All of it still works, except that no off-the-record side is
    /// created any more.
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
