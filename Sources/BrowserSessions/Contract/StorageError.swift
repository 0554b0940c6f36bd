/// Why a call to a store failed: a code for what a caller can do, and details for people.
///
/// Neither an error nor its description ever holds an address, a title or other content of a tab.
public struct StorageError: Error, Sendable {
    /// What a caller can do about the error. More codes may be added.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Another opener has the store; the message names the holder. Try again later.
        case locked
        /// Saved bytes are damaged. See the report of ``SessionStorage/check()``.
        case corrupted
        /// The store was written by another backend or a newer version. Nothing was changed.
        case incompatibleFormat
        /// The disk or a quota is full. The call works again when there is space.
        case outOfSpace
        /// File permissions or a read-only medium do not allow the call.
        case permissionDenied
        /// A named limit was exceeded; see ``StorageTraits``.
        case tooLarge
        /// The store was closed.
        case closed
        /// The expected sequence number is not the store's.
        case conflict
        /// This backend does not support the call.
        case unsupported
        /// The configuration names something that does not exist or has the wrong form.
        case invalidConfiguration
        /// The change set contradicts itself or breaks a rule.
        case invalidChanges
        /// There is no store at the location, and the call may not create one.
        case notFound
        /// The location is a file or a link, or belongs to another user.
        case unsafeLocation
        /// Syncing failed, or the store's files were removed while it was open, so later saves
        /// could not be guaranteed. Open the store again.
        case durabilityLost
        /// The key of the incognito partition could not be obtained or destroyed, because its
        /// `IncognitoKeyStore` is absent or does not answer. Nothing was removed because of it.
        case keyUnavailable
        /// The server or process that keeps the store does not answer. This does not mean that the
        /// stored data is damaged; try again later.
        case unavailable
        /// Another process has taken over the store. Open the store again to save what this process
        /// has not saved.
        case fenced
        /// The task was canceled before the call began.
        case cancelled
        /// Any other error; see the message and ``StorageError/underlying``.
        case failed
    }

    /// Whether a change was applied before the error.
    public enum Effect: String, Hashable, Sendable {
        /// The change was not applied. Calls that only read have this effect, too.
        case notApplied
        /// The change was applied, but something that the call had to do after it failed.
        case applied
        /// The change may or may not be there when the store is opened again.
        case indeterminate
    }

    /// What a caller can do about the error.
    public var code: Code
    /// Whether the change was applied before the error, for calls that change the store.
    public var effect: Effect
    /// The call that failed, such as `save`.
    public var operation: String
    /// What happened and what to do, in a single-line sentence.
    public var message: String
    /// The store, in a form that can be shown: its path, or its address with dots in place of a
    /// password. Set for all errors from opening, preparing or removing a store, and from an open
    /// store; `nil` if no store is involved.
    public var location: String?
    /// The error of the engine, a library or the system behind this one; `nil` if there is none.
    public var underlying: (any Error)?
    /// The record that caused a change set to be refused, so that the rest can be saved without it;
    /// `nil` if the set was refused as a whole, and for all other errors.
    public var subject: Subject?

    /// A record that a change set changes. More cases may be added.
    @nonexhaustive
    public enum Subject: Hashable, Sendable {
        /// A session, tab or node, in the session that the change names.
        case record(SessionItem, in: SessionID)
        /// A state blob of a tab.
        case state(TabStateKey)
    }

    /// Creates an error, by default of a call that changed nothing. The message becomes one line.
    public init(
        _ code: Code,
        _ message: String,
        operation: String = "",
        effect: Effect = .notApplied,
        underlying: (any Error)? = nil,
        subject: Subject? = nil,
        location: String? = nil
    ) {
        self.subject = subject
        self.location = location
        self.code = code
        self.message = PathText.shown(message).inOneLine
        self.operation = operation
        self.effect = effect
        self.underlying = underlying
    }
}

extension StorageError {
    /// Returns the error itself if it is one of a store, and wraps others.
    package init(any error: any Error) {
        self = error as? StorageError ?? StorageError(.failed, "\(error)", underlying: error)
    }

    /// Returns the same error with this location, unless it already has one.
    package func about(_ location: String) -> StorageError {
        var error = self
        error.location = error.location ?? PathText.shown(Redaction.location(location))
        return error
    }
}

extension StorageError: CustomStringConvertible {
    /// A description such as `open '/profiles/7': the store is in use … (locked)`. The location
    /// appears only once if the message names it.
    public var description: String {
        let place = location.flatMap { message.contains("'\($0)'") ? nil : "'\($0)'" }
        let what = [operation, place ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let state = effect == .notApplied ? "" : " [\(effect.rawValue)]"
        return "\(what.isEmpty ? "" : what + ": ")\(message) (\(code.rawValue))\(state)"
    }
}

extension StoredNumber {
    /// Returns the next number, for what is written now.
    ///
    /// - Throws: ``StorageError/Code/tooLarge`` if there is none. A store never reaches the limit
    ///   by counting, so the number was written into it.
    public func next(of thing: String) throws(StorageError) -> StoredNumber {
        if let next = adding(1) { return next }
        throw StorageError(
            .tooLarge,
            "\(thing) has the number \(self), behind which there is none; nothing can be written here. "
                + "What is there can be read: move it to a new store ('sessionctl migrate')")
    }
}
