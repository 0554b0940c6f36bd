extension Profile {
    /// The off-the-record profile, created if it does not exist. An off-the-record profile returns
    /// itself. Use ``hasOffTheRecord`` to check without creating it.
    ///
    /// Throws ``ProfileError/ended(profile:)``, ``ProfileError/offTheRecordIsChanging(profile:)``
    /// while it is being created or destroyed, or ``ProfileError/serviceFailed(profile:_:)`` if a
    /// service that it must have could not be made. In that case there is no off-the-record
    /// profile, and the next request tries again.
    public var offTheRecord: Profile {
        get throws(ProfileError) {
            guard isActive else { throw .ended(profile: name) }
            if isOffTheRecord { return self }
            if let offTheRecordPartition, offTheRecordPartition.isActive {
                return offTheRecordPartition
            }
            guard !isChangingOffTheRecord else { throw .offTheRecordIsChanging(profile: name) }
            guard !isAboutToEnd else { throw .ended(profile: name) }
            return try createOffTheRecord()
        }
    }

    /// Whether the off-the-record profile exists; never creates it. It exists until it is
    /// completely destroyed. For an off-the-record profile, whether it has not ended.
    public var hasOffTheRecord: Bool { isOffTheRecord ? !hasEnded : offTheRecordPartition != nil }

    /// Ends the off-the-record profile: shuts down its services and releases its user data. It can
    /// be created again, as another object. Does nothing if there is none. While a service is being
    /// made, it is destroyed afterwards.
    ///
    /// The code that stored its data deletes it; see
    /// ``ProfileObserver/profileDidDestroyOffTheRecord(_:)``.
    public func destroyOffTheRecord() {
        if isOffTheRecord {
            end()
            return
        }
        guard !isChangingOffTheRecord, let partition = offTheRecordPartition else { return }
        destructionIsWaiting = isBusy
        guard !destructionIsWaiting else { return }
        isChangingOffTheRecord = true
        tellObservers { $0.profile(self, willDestroyOffTheRecord: partition) }
        partition.finish()
        offTheRecordPartition = nil
        isChangingOffTheRecord = false
        tellObservers { $0.profileDidDestroyOffTheRecord(self) }
        runPendingRequests()
    }

    private func createOffTheRecord() throws(ProfileError) -> Profile {
        isChangingOffTheRecord = true
        let partition = Profile(offTheRecordOf: self)
        do throws(ServiceError) {
            try partition.services.makeEarlyServices(of: partition)
        } catch {
            partition.finish()
            isChangingOffTheRecord = false
            destructionIsWaiting = false
            runPendingRequests()
            throw .serviceFailed(profile: name, error)
        }
        isChangingOffTheRecord = false
        offTheRecordPartition = partition
        tellObservers { $0.profile(self, didCreateOffTheRecord: partition) }
        runPendingRequests()
        guard partition.isActive else { throw .ended(profile: name) }
        return partition
    }
}
