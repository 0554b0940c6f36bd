/// Behaviour that lives as long as a profile, such as history or the saving of sessions.
///
/// A ``ServiceDeclaration`` says what it needs and how it is made; ``Profile/service(_:)`` gives
/// it. A service takes what it depends on when it is made and keeps it. It holds its profile
/// weakly or unowned, since the profile owns it.
public protocol ProfileService: AnyObject {
    /// Stops working: called once, before anything that the service depends on is shut down.
    ///
    /// The user data of the profile is still there. ``Profile/service(_:)`` already refuses.
    func shutDown()
}

/// What the off-the-record side of a profile gets of a service.
public enum OffTheRecordService: String, Hashable, Sendable, CaseIterable {
    /// An instance of its own, shut down when the off-the-record side is destroyed.
    case own
    /// The instance of the original profile. The service must keep no trace of what it hears.
    case shared
    /// None: asking for it is an error.
    case none
}

/// When a service is made.
public enum ServiceCreation: String, Hashable, Sendable, CaseIterable {
    /// Together with its profile, for services that must see everything from the start.
    case withProfile
    /// When somebody first asks for it, or for a service that depends on it.
    case atFirstUse
}
