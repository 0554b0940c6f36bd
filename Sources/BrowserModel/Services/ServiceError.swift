/// The reason a profile cannot provide a service.
@nonexhaustive
public enum ServiceError: Error, Sendable {
    /// The registry does not declare the type.
    case notDeclared(service: String)
    /// The service is declared to be absent in incognito.
    case notIncognito(service: String)
    /// The profile is shutting down or has ended.
    case profileEnded(service: String, profile: String)
    /// The maker of a service requested another one that it does not declare as a dependency.
    case undeclaredUse(by: String, of: String)
    /// A service was requested while it was being made.
    case usedInOwnMaking(service: String)
    /// The maker threw. Nothing of the service remains; the next request tries again.
    case makingFailed(service: String, underlying: any Error)
}

extension ServiceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notDeclared(let service):
            "service \(service) is not declared; add its declaration to the ServiceRegistry"
        case .notIncognito(let service):
            "there is no \(service) in incognito; ask the original profile, or declare the"
                + " service as own or shared in incognito"
        case .profileEnded(let service, let profile):
            "\(service) was asked for when profile '\(profile)' was shutting down or had ended;"
                + " keep the service from before, or ask earlier"
        case .undeclaredUse(let user, let used):
            "\(user) asked for \(used) while it was being made, but does not depend on it; add"
                + " \(used) to the dependencies of \(user)"
        case .usedInOwnMaking(let service):
            "\(service) was asked for while it was being made; use it only after its maker"
                + " returned"
        case .makingFailed(let service, let underlying):
            "\(service) could not be made: \(underlying); remove the cause and ask again"
        }
    }
}
