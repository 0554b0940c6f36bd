extension Profile {
    /// The off-the-record profile; `nil` if there is none. It exists until it is completely
    /// destroyed. An off-the-record profile returns itself until it has ended.
    public var offTheRecord: Profile? {
        isOffTheRecord ? (hasEnded ? nil : self) : offTheRecordPartition
    }

    /// Returns the off-the-record profile, and creates it if there is none. An off-the-record
    /// profile returns itself.
    ///
    /// - Throws: ``ProfileError/ended(profile:)``, ``ProfileError/offTheRecordIsChanging(profile:)``
    ///   while it is being created or destroyed, or ``ProfileError/serviceFailed(profile:_:)`` if a
    ///   service that it must have could not be made. In that case there is no off-the-record
    ///   profile, and the next call tries again.
    @discardableResult
    public func createOffTheRecord() throws(ProfileError) -> Profile {
        guard isActive else { throw .ended(profile: name) }
        if isOffTheRecord { return self }
        if let offTheRecordPartition, offTheRecordPartition.isActive {
            return offTheRecordPartition
        }
        guard !isChangingOffTheRecord else { throw .offTheRecordIsChanging(profile: name) }
        guard !isAboutToEnd else { throw .ended(profile: name) }
        return try makeOffTheRecord()
    }

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

    private func makeOffTheRecord() throws(ProfileError) -> Profile {
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
