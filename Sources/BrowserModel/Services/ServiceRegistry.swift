/// All services that the profiles of a program have. The host creates one value and passes it to
/// its ``ProfileManager``; services do not register themselves.
public struct ServiceRegistry {
    /// The declarations, each after its dependencies, otherwise in the order given.
    let ordered: [ServiceDeclaration]
    private let declarations: [ServiceKey: ServiceDeclaration]

    /// A registry without services.
    public init() {
        ordered = []
        declarations = [:]
    }

    /// Creates a registry and checks the declarations, which can be in any order.
    ///
    /// - Throws: ``ServiceRegistryError/declaredTwice(service:)``,
    ///   ``ServiceRegistryError/undeclaredDependency(service:dependency:)``, or
    ///   ``ServiceRegistryError/cycle(_:)`` if a type depends on itself, also indirectly.
    public init(_ declarations: [ServiceDeclaration]) throws(ServiceRegistryError) {
        var byKey: [ServiceKey: ServiceDeclaration] = [:]
        for declaration in declarations {
            guard byKey.updateValue(declaration, forKey: declaration.key) == nil else {
                throw .declaredTwice(service: declaration.name)
            }
        }
        for declaration in declarations {
            for dependency in declaration.dependencies where byKey[dependency] == nil {
                throw .undeclaredDependency(
                    service: declaration.name, dependency: dependency.name)
            }
        }
        var sorting = ServiceSorting(declarations: byKey)
        for declaration in declarations { try sorting.visit(declaration) }
        self.declarations = byKey
        ordered = sorting.ordered
    }

    /// The names of all declared services in an order in which they can be made; empty if there are
    /// none.
    package var names: [String] { ordered.map(\.name) }

    subscript(key: ServiceKey) -> ServiceDeclaration? { declarations[key] }
}

/// The reason services cannot be registered. This is a programming error of the host.
@nonexhaustive
public enum ServiceRegistryError: Error, Hashable, Sendable {
    /// Two declarations have the same type.
    case declaredTwice(service: String)
    /// A service depends on a type that has no declaration.
    case undeclaredDependency(service: String, dependency: String)
    /// Services depend on each other in a cycle: each on the next; the last is the first.
    case cycle([String])
}

extension ServiceRegistryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .declaredTwice(let service):
            "service \(service) is declared twice; remove one of the declarations"
        case .undeclaredDependency(let service, let dependency):
            "service \(service) depends on \(dependency), which is not declared; declare"
                + " \(dependency), or remove it from the dependencies of \(service)"
        case .cycle(let services):
            "services depend on each other in a cycle: \(services.joined(separator: " → "));"
                + " remove one of these dependencies, or move what both need to a service of"
                + " its own"
        }
    }
}

/// Sorts every service after its dependencies, or finds a cycle.
private struct ServiceSorting {
    let declarations: [ServiceKey: ServiceDeclaration]
    var ordered: [ServiceDeclaration] = []
    private var done: Set<ServiceKey> = []
    /// The services from the first visited one to the current one, each depending on the next.
    private var path: [ServiceKey] = []

    init(declarations: [ServiceKey: ServiceDeclaration]) { self.declarations = declarations }

    mutating func visit(_ declaration: ServiceDeclaration) throws(ServiceRegistryError) {
        guard !done.contains(declaration.key) else { return }
        if let start = path.firstIndex(of: declaration.key) {
            throw .cycle(path[start...].map(\.name) + [declaration.name])
        }
        path.append(declaration.key)
        for dependency in declaration.dependencies {
            if let next = declarations[dependency] { try visit(next) }
        }
        path.removeLast()
        done.insert(declaration.key)
        ordered.append(declaration)
    }
}
