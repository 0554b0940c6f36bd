extension Profile {
    /// The off-the-record side, created if there is none. Off the record it is the profile
    /// itself. See ``hasOffTheRecord`` for asking without creating.
    ///
    /// Throws ``ProfileError/ended(profile:)``,
    /// ``ProfileError/offTheRecordIsChanging(profile:)`` if asked for while it is being created or
    /// shut down, or ``ProfileError/serviceFailed(profile:_:)`` if a service that it must have
    /// could not be made; then there is no off-the-record side and the next request tries again.
    public var offTheRecord: Profile {
        get throws(ProfileError) {
            guard isActive else { throw .ended(profile: name) }
            if isOffTheRecord { return self }
            if let offTheRecordSide, offTheRecordSide.isActive { return offTheRecordSide }
            guard !isChangingOffTheRecord else { throw .offTheRecordIsChanging(profile: name) }
            guard !isAboutToEnd else { throw .ended(profile: name) }
            return try createOffTheRecord()
        }
    }

    /// Whether there is an off-the-record side; never creates it. It is there until it was
    /// destroyed completely. Off the record, whether the profile has not ended.
    public var hasOffTheRecord: Bool { isOffTheRecord ? !hasEnded : offTheRecordSide != nil }

    /// Ends the off-the-record side: shuts its services down and lets go of its user data. It can
    /// be created again and is another object then. Does nothing if there is none. While a
    /// service is being made it is destroyed when that is done.
    ///
    /// What is stored of it is deleted by whoever stored it; see
    /// ``ProfileObserver/profileDidDestroyOffTheRecord(_:)``.
    public func destroyOffTheRecord() {
        if isOffTheRecord {
            end()
            return
        }
        guard !isChangingOffTheRecord, let side = offTheRecordSide else { return }
        destructionIsWaiting = isBusy
        guard !destructionIsWaiting else { return }
        isChangingOffTheRecord = true
        tellObservers { $0.profile(self, willDestroyOffTheRecord: side) }
        side.finish()
        offTheRecordSide = nil
        isChangingOffTheRecord = false
        tellObservers { $0.profileDidDestroyOffTheRecord(self) }
        settle()
    }

    private func createOffTheRecord() throws(ProfileError) -> Profile {
        isChangingOffTheRecord = true
        let side = Profile(offTheRecordOf: self)
        do throws(ServiceError) {
            try side.services.makeEarlyServices(of: side)
        } catch {
            side.finish()
            isChangingOffTheRecord = false
            destructionIsWaiting = false
            settle()
            throw .serviceFailed(profile: name, error)
        }
        isChangingOffTheRecord = false
        offTheRecordSide = side
        tellObservers { $0.profile(self, didCreateOffTheRecord: side) }
        settle()
        guard side.isActive else { throw .ended(profile: name) }
        return side
    }
}
