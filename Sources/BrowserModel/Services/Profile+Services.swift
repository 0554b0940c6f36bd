extension Profile {
    /// Returns a service of this profile, after making it and its dependencies if necessary.
    ///
    /// In incognito, this is the profile's own instance or that of the original, as declared. A
    /// service that could not be made leaves nothing behind, and the next request tries again. The
    /// services that were made for it remain.
    ///
    /// - Throws: ``ServiceError/notDeclared(service:)`` if the registry does not declare the type;
    ///   ``ServiceError/notIncognito(service:)`` if it is absent in incognito;
    ///   ``ServiceError/profileEnded(service:profile:)`` if the profile is shutting down or has
    ///   ended; ``ServiceError/usedInOwnMaking(service:)`` or
    ///   ``ServiceError/undeclaredUse(by:of:)`` if a maker requests itself or a service that it
    ///   does not depend on; ``ServiceError/makingFailed(service:underlying:)`` if the maker
    ///   throws.
    public func service<Service: ProfileService>(_ type: Service.Type)
        throws(ServiceError) -> Service
    {
        let key = ServiceKey(type)
        let made = try services.service(key, of: self)
        guard isActive else { throw endedError(key.name) }
        guard let service = made as? Service else {
            throw .notDeclared(service: key.name)
        }
        return service
    }

    /// Returns the service if it exists; `nil` if it was not made, was shut down, or is not
    /// declared. Never makes a service. In incognito, returns only the profile's own instance.
    package func serviceIfMade<Service: ProfileService>(_ type: Service.Type) -> Service? {
        services.serviceIfMade(ServiceKey(type)) as? Service
    }

    func endedError(_ service: String) -> ServiceError {
        .profileEnded(service: service, profile: name)
    }
}
