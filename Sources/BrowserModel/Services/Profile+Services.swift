extension Profile {
    /// The service of this profile; makes it, and what it depends on, if it was not made yet.
    ///
    /// Off the record it is the side's own instance or that of the original, as declared. A
    /// service that could not be made leaves nothing behind, and the next request tries again;
    /// the services that were made for it stay.
    ///
    /// Throws a ``ServiceError`` if the type is not declared or absent off the record, if the
    /// profile shuts down or has ended, if a maker asks for a service it does not depend on or
    /// for its own, or if the maker throws.
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

    /// The service if it was made before; `nil` if not, if it was shut down, or if it is not
    /// declared. Never makes one. Off the record, only an instance of its own.
    public func serviceIfMade<Service: ProfileService>(_ type: Service.Type) -> Service? {
        services.serviceIfMade(ServiceKey(type)) as? Service
    }

    func endedError(_ service: String) -> ServiceError {
        .profileEnded(service: service, profile: name)
    }
}
