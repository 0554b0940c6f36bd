/// Behavior that lives as long as a profile, such as history or the saving of sessions.
///
/// A ``ServiceDeclaration`` says what the service needs and how it is made; ``Profile/service(_:)``
/// returns it. A service gets its dependencies when it is made and keeps them. It holds its profile
/// weakly or unowned, because the profile owns it.
public protocol ProfileService: AnyObject {
    /// Stops the service. Called once, before any of its dependencies is shut down.
    ///
    /// The profile's user data still exists. ``Profile/service(_:)`` already throws.
    func shutDown()
}

/// What an incognito profile gets for a service.
public enum IncognitoService: String, Hashable, Sendable, CaseIterable {
    /// Its own instance, which is shut down when the incognito profile is destroyed.
    case own
    /// The instance of the original profile. The service must not keep traces of what it receives.
    case shared
    /// No service; requesting it is an error.
    case none
}

/// The time at which a service is made.
public enum ServiceCreation: String, Hashable, Sendable, CaseIterable {
    /// Together with its profile, for services that must observe everything from the start.
    case withProfile
    /// At the first request for it, or for a service that depends on it.
    case atFirstUse
}
