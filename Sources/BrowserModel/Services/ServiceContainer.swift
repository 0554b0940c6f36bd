/// The services of one profile, in the order of creation.
final class ServiceContainer {
    let registry: ServiceRegistry
    let making: ServiceMaking
    private var made: [(key: ServiceKey, service: any ProfileService)] = []
    private var byKey: [ServiceKey: any ProfileService] = [:]

    init(registry: ServiceRegistry, making: ServiceMaking) {
        self.registry = registry
        self.making = making
    }

    /// Returns a service for an external request.
    func service(_ key: ServiceKey, of profile: Profile)
        throws(ServiceError) -> any ProfileService
    {
        guard let declaration = registry[key] else { throw .notDeclared(service: key.name) }
        try making.checkUse(of: declaration, in: self)
        defer { (profile.original ?? profile).runPendingRequests() }
        return try obtain(declaration, for: profile)
    }

    /// Returns the service if it exists, without making it.
    func serviceIfMade(_ key: ServiceKey) -> (any ProfileService)? { byKey[key] }

    /// Makes the services that must exist from the start.
    func makeEarlyServices(of profile: Profile) throws(ServiceError) {
        for declaration in registry.ordered where declaration.creation == .withProfile {
            guard !profile.isIncognito || declaration.incognito == .own else { continue }
            _ = try obtain(declaration, for: profile)
        }
    }

    /// Shuts down the services, the last made first, and releases each before the next.
    func shutDown() {
        while let (key, service) = made.popLast() {
            byKey[key] = nil
            service.shutDown()
        }
    }

    private func obtain(_ declaration: ServiceDeclaration, for profile: Profile)
        throws(ServiceError) -> any ProfileService
    {
        guard profile.isActive else { throw profile.endedError(declaration.name) }
        if profile.isIncognito, declaration.incognito != .own {
            guard declaration.incognito == .shared else {
                throw .notIncognito(service: declaration.name)
            }
            guard let original = profile.original else {
                throw profile.endedError(declaration.name)
            }
            return try original.services.obtain(declaration, for: original)
        }
        if let service = byKey[declaration.key] { return service }
        guard !making.isMaking(declaration.key, in: self) else {
            throw .usedInOwnMaking(service: declaration.name)
        }
        for dependency in declaration.dependencies {
            guard let needed = registry[dependency],
                !profile.isIncognito || needed.incognito != .none
            else { continue }
            _ = try obtain(needed, for: profile)
        }
        return try make(declaration, for: profile)
    }

    private func make(_ declaration: ServiceDeclaration, for profile: Profile)
        throws(ServiceError) -> any ProfileService
    {
        making.begin(declaration, in: self)
        defer { making.end() }
        let service: any ProfileService
        do {
            service = try declaration.make(profile)
        } catch let error as ServiceError {
            throw error
        } catch {
            throw .makingFailed(service: declaration.name, underlying: error)
        }
        made.append((declaration.key, service))
        byKey[declaration.key] = service
        return service
    }
}

/// The makers that are running for a profile and its incognito profile, innermost last.
final class ServiceMaking {
    private var running: [(declaration: ServiceDeclaration, container: ServiceContainer)] = []

    func begin(_ declaration: ServiceDeclaration, in container: ServiceContainer) {
        running.append((declaration, container))
    }

    func end() { running.removeLast() }

    /// Whether a maker is running.
    var isRunning: Bool { !running.isEmpty }

    func isMaking(_ key: ServiceKey, in container: ServiceContainer) -> Bool {
        running.contains { $0.declaration.key == key && $0.container === container }
    }

    /// Throws if a running maker did not declare that it uses the service.
    ///
    /// The maker of an incognito service can also use the same service of the original.
    func checkUse(of used: ServiceDeclaration, in container: ServiceContainer)
        throws(ServiceError)
    {
        guard let (user, place) = running.last else { return }
        if user.key == used.key {
            guard place === container else { return }
            throw .usedInOwnMaking(service: used.name)
        }
        guard user.dependencies.contains(used.key) else {
            throw .undeclaredUse(by: user.name, of: used.name)
        }
    }
}
