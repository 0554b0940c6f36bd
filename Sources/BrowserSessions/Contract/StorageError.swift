/// Why a call to a store failed: one code by what a caller can do, and the rest for people.
///
/// Neither an error nor its description ever holds an address, a title or other content of a tab.
public struct StorageError: Error, Sendable {
    /// What a caller can do about it. More codes may come.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Another opener has the store; the message names the holder. Try again later.
        case locked
        /// Saved bytes are damaged. Look at the report of ``SessionStorage/check()``.
        case corrupted
        /// Written by another backend or a newer version. Nothing was touched.
        case incompatibleFormat
        /// The disk or a quota is full. Works again when there is space.
        case outOfSpace
        /// The rights of a file, or a read-only medium, forbid it.
        case permissionDenied
        /// A named limit was exceeded; see ``StorageTraits``.
        case tooLarge
        /// The store was closed.
        case closed
        /// The expected sequence number is not the store's.
        case conflict
        /// This backend cannot do it.
        case unsupported
        /// The configuration names something that does not exist or has the wrong form.
        case invalidConfiguration
        /// The change set contradicts itself or breaks a rule.
        case invalidChanges
        /// There is no store at the location, and none was to be made.
        case notFound
        /// The location is a file, a link, or belongs to somebody else.
        case unsafeLocation
        /// Syncing failed, or the store's files were removed while it was open, so later saves could not
        /// be promised. Open the store again.
        case durabilityLost
        /// The key of the incognito side could not be asked for, or not be destroyed: its
        /// `IncognitoKeyStore` is not here or does not answer. Nothing was removed because of it.
        case keyUnavailable
        /// The server or process that keeps the store does not answer. Nothing is known to be wrong with
        /// what it keeps: try again later.
        case unavailable
        /// Another process has taken the store over. What this one has not saved must be saved through a
        /// store that is opened anew.
        case fenced
        /// The task was cancelled before the call began.
        case cancelled
        /// Anything else; see the message and ``StorageError/underlying``.
        case failed
    }

    /// Whether a change was applied before the error.
    public enum Effect: String, Hashable, Sendable {
        case notApplied
        case applied
        /// It may or may not be there when the store is opened again.
        case indeterminate
    }

    public var code: Code
    public var effect: Effect
    /// The call that failed: `save`.
    public var operation: String
    /// What happened and what to do, in a sentence of one line.
    public var message: String
    /// Which store it is about, as people may see it: its path, or its address with dots for a password.
    /// Every error of opening, preparing or removing a store has it, and those of a store that is open;
    /// `nil` where no store is concerned.
    public var location: String?
    public var underlying: (any Error)?
    /// The record for which a change set was refused, so that the rest can be saved without it; `nil` if
    /// the set was refused as a whole, and for all other errors.
    public var subject: Subject?

    /// A record that a change set is about. More may come.
    @nonexhaustive
    public enum Subject: Hashable, Sendable {
        case session(SessionID)
        case tab(TabID, in: SessionID)
        case state(TabStateKey)
    }

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
    /// The same about the store at a location, unless it names one already.
    package func about(_ location: String) -> StorageError {
        var error = self
        error.location = error.location ?? PathText.shown(Redaction.location(location))
        return error
    }
}

extension StorageError: CustomStringConvertible {
    /// `open '/profiles/7': the store is in use … (locked)`; the location once, if the message names it.
    public var description: String {
        let place = location.flatMap { message.contains("'\($0)'") ? nil : "'\($0)'" }
        let what = [operation, place ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let state = effect == .notApplied ? "" : " [\(effect.rawValue)]"
        return "\(what.isEmpty ? "" : what + ": ")\(message) (\(code.rawValue))\(state)"
    }
}
