/// Says of one type of service what it depends on, what the off-the-record side gets, and when and
/// how it is made.
///
/// Neither the declaration nor its maker is bound to an actor: a host that lives on the main actor
/// writes a maker that does, a server makes its declarations on each of its actors.
public struct ServiceDeclaration {
    /// The type of the service, for messages.
    public var name: String { key.name }
    /// What the off-the-record side gets.
    public let offTheRecord: OffTheRecordService
    /// When the service is made.
    public let creation: ServiceCreation
    let key: ServiceKey
    let dependencies: [ServiceKey]
    let make: (Profile) throws -> any ProfileService

    /// - Parameters:
    ///   - type: what ``Profile/service(_:)`` is asked for.
    ///   - dependencies: the services that the maker asks for. All are made before, and
    ///     shut down after this one. The maker may ask for no others.
    ///   - offTheRecord: the default is that there is none off the record, so that no service
    ///     keeps traces because its author did not think of it.
    ///   - creation: the default is at first use.
    ///   - make: makes the service of a profile, which is the off-the-record one for an instance
    ///     of its own. What it throws reaches the caller in
    ///     ``ServiceError/makingFailed(service:underlying:)``; the next request tries again.
    public init<Service: ProfileService>(
        _ type: Service.Type,
        dependsOn dependencies: [any ProfileService.Type] = [],
        offTheRecord: OffTheRecordService = .none,
        creation: ServiceCreation = .atFirstUse,
        make: @escaping (Profile) throws -> Service
    ) {
        key = ServiceKey(type)
        self.dependencies = dependencies.map { ServiceKey($0) }
        self.offTheRecord = offTheRecord
        self.creation = creation
        self.make = make
    }
}

/// A type of service, as something to look up.
struct ServiceKey: Hashable {
    let name: String
    private let type: ObjectIdentifier

    init(_ type: any ProfileService.Type) {
        name = "\(type)"
        self.type = ObjectIdentifier(type)
    }

    static func == (left: Self, right: Self) -> Bool { left.type == right.type }

    func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
