/// The reason a profile cannot be created, found, removed or used.
@nonexhaustive
public enum ProfileError: Error, Sendable {
    /// The name cannot be a directory name on every system.
    case illegalName(String, reason: String)
    /// Another profile has the name, or one that differs only in case.
    case nameTaken(String, by: String)
    /// No profile has the name; `known` contains the existing names.
    case notFound(String, known: [String])
    /// The profile has ended or is about to end.
    case ended(profile: String)
    /// The incognito profile is being created or destroyed.
    case incognitoIsChanging(profile: String)
    /// A service that every profile needs could not be made, so there is no profile.
    case serviceFailed(profile: String, ServiceError)
    /// The names of the profiles exist but cannot be read. They are left unchanged.
    case namesUnreadable(underlying: any Error)
    /// The names of the profiles could not be written. The former names remain.
    case namesNotWritten(underlying: any Error)
}

extension ProfileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .illegalName(let name, let reason):
            "'\(name)' cannot be the name of a profile: \(reason); choose another name"
        case .nameTaken(let name, let other) where name == other:
            "there is a profile '\(name)'; use it, or choose another name"
        case .nameTaken(let name, let other):
            "there is a profile '\(other)', which differs from '\(name)' only in case;"
                + " choose another name"
        case .notFound(let name, let known):
            "there is no profile '\(name)'; there is: "
                + (known.isEmpty ? "none" : known.joined(separator: ", "))
        case .ended(let profile):
            "profile '\(profile)' has ended; create it again with its ProfileManager"
        case .incognitoIsChanging(let profile):
            "the incognito partition of profile '\(profile)' is being created or destroyed;"
                + " ask again when that is done"
        case .serviceFailed(let profile, let error):
            "profile '\(profile)' was not created: \(error)"
        case .namesUnreadable(let underlying):
            "the names of the profiles cannot be read: \(underlying); repair what keeps them"
        case .namesNotWritten(let underlying):
            "the names of the profiles cannot be written: \(underlying); they are as before,"
                + " try again"
        }
    }
}
