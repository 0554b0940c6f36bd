/// Declares a type of service: its dependencies, what an incognito profile gets, and when and
/// how it is made.
///
/// Neither the declaration nor its maker is bound to an actor. A host on the main actor writes a
/// maker that is; a server creates its declarations on each of its actors.
public struct ServiceDeclaration {
    /// The type of the service, for messages.
    package var name: String { key.name }
    /// What an incognito profile gets.
    package let incognito: IncognitoService
    /// When the service is made.
    package let creation: ServiceCreation
    let key: ServiceKey
    let dependencies: [ServiceKey]
    let make: (Profile) throws -> any ProfileService

    /// - Parameters:
    ///   - type: the type with which ``Profile/service(_:)`` is called.
    ///   - dependencies: the services that the maker requests. They are made before this one and
    ///     shut down after it. The maker can request no others.
    ///   - incognito: by default, the service is absent in incognito, so that no service keeps
    ///     traces because its author did not consider it.
    ///   - creation: by default, at first use.
    ///   - make: makes the service for a profile, which can be incognito if the service is
    ///     `own` there. Its errors are thrown as
    ///     ``ServiceError/makingFailed(service:underlying:)``; the next request tries again.
    public init<Service: ProfileService>(
        _ type: Service.Type,
        dependsOn dependencies: [any ProfileService.Type] = [],
        incognito: IncognitoService = .none,
        creation: ServiceCreation = .atFirstUse,
        make: @escaping (Profile) throws -> Service
    ) {
        key = ServiceKey(type)
        self.dependencies = dependencies.map { ServiceKey($0) }
        self.incognito = incognito
        self.creation = creation
        self.make = make
    }
}

/// A type of service, as a key.
struct ServiceKey: Hashable {
    let name: String
    private let type: ObjectIdentifier

    init(_ type: any ProfileService.Type) {
        name = "\(type)"
        self.type = ObjectIdentifier(type)
    }
}
