extension Profile {
    /// The incognito profile; `nil` if there is none. It exists until it is completely
    /// destroyed. An incognito profile returns itself until it has ended.
    public var incognito: Profile? {
        isIncognito ? (hasEnded ? nil : self) : incognitoPartition
    }

    /// Returns the incognito profile, and creates it if there is none. An incognito
    /// profile returns itself.
    ///
    /// - Throws: ``ProfileError/ended(profile:)``, ``ProfileError/incognitoIsChanging(profile:)``
    ///   while it is being created or destroyed, or ``ProfileError/serviceFailed(profile:_:)`` if a
    ///   service that it must have could not be made. In that case there is no incognito
    ///   profile, and the next call tries again.
    @discardableResult
    public func createIncognito() throws(ProfileError) -> Profile {
        guard isActive else { throw .ended(profile: name) }
        if isIncognito { return self }
        if let incognitoPartition, incognitoPartition.isActive {
            return incognitoPartition
        }
        guard !isChangingIncognito else { throw .incognitoIsChanging(profile: name) }
        guard !isAboutToEnd else { throw .ended(profile: name) }
        return try makeIncognito()
    }

    /// Ends the incognito profile: shuts down its services and releases its user data. It can
    /// be created again, as another object. Does nothing if there is none. While a service is being
    /// made, it is destroyed afterwards.
    ///
    /// The code that stored its data deletes it; see
    /// ``ProfileObserver/profileDidDestroyIncognito(_:)``.
    public func destroyIncognito() {
        if isIncognito {
            end()
            return
        }
        guard !isChangingIncognito, let partition = incognitoPartition else { return }
        destructionIsWaiting = isBusy
        guard !destructionIsWaiting else { return }
        isChangingIncognito = true
        tellObservers { $0.profile(self, willDestroyIncognito: partition) }
        partition.finish()
        incognitoPartition = nil
        isChangingIncognito = false
        tellObservers { $0.profileDidDestroyIncognito(self) }
        runPendingRequests()
    }

    private func makeIncognito() throws(ProfileError) -> Profile {
        isChangingIncognito = true
        let partition = Profile(incognitoOf: self)
        do throws(ServiceError) {
            try partition.services.makeEarlyServices(of: partition)
        } catch {
            partition.finish()
            isChangingIncognito = false
            destructionIsWaiting = false
            runPendingRequests()
            throw .serviceFailed(profile: name, error)
        }
        isChangingIncognito = false
        incognitoPartition = partition
        tellObservers { $0.profile(self, didCreateIncognito: partition) }
        runPendingRequests()
        guard partition.isActive else { throw .ended(profile: name) }
        return partition
    }
}
