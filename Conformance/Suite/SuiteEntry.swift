import BrowserSessions

/// A requirement in the sources of the suite: the sentence, the cases that try it, and the faulty
/// backends that prove that they do.
///
/// ```swift
/// SuiteEntry("SAVE-8", .must, "An empty set is taken, and changes nothing.")
///     .tried("after two sets") { context in … }
///     .catches("refuses-empty-sets", says: "was refused") {
///         $0.on(SaveRequest.self) { save, store in … }
///     }
/// ```
struct SuiteEntry: Sendable {
    let requirement: Requirement
    /// The store's claim that its cases would refute.
    let proves: Capability?
    private(set) var cases: [ConformanceCase] = []
    private(set) var faultyBackends: [FaultyBackend] = []

    /// - Parameters:
    ///   - id: the group and a number that is never used again: `SAVE-8`.
    ///   - needs: what a store or its harness must be able to do for the sentence to apply.
    ///   - proves: the claim that is proven if every case passes.
    init(
        _ id: String, _ level: Requirement.Level, _ statement: String, needs: [Capability] = [],
        proves: Capability? = nil, revision: SuiteRevision = .first, isProvisional: Bool = false,
        file: String = #filePath, line: Int = #line
    ) {
        self.proves = proves
        requirement = Requirement(
            id, level, statement, needs: needs, revision: revision, isProvisional: isProvisional,
            place: SourcePlace(path: file, line: line))
    }

    /// Adds a case.
    ///
    /// - Parameters:
    ///   - name: what is tried, unique within the requirement.
    ///   - body: throws a ``Violation`` if the requirement does not hold.
    func tried(
        _ name: String, timeLimit: Duration = .seconds(180),
        file: String = #filePath, line: Int = #line,
        _ body: @escaping @Sendable (CaseContext) async throws -> Void
    ) -> SuiteEntry {
        var entry = self
        entry.cases.append(
            ConformanceCase(
                requirement: requirement, name: name, timeLimit: timeLimit,
                place: SourcePlace(path: file, line: line), body: body))
        return entry
    }

    /// Adds a case for each element of a list, such as kinds of damage.
    func tried<Element: RawRepresentable<String> & Sendable>(
        each list: [Element], timeLimit: Duration = .seconds(300),
        file: String = #filePath, line: Int = #line,
        _ body: @escaping @Sendable (Element, CaseContext) async throws -> Void
    ) -> SuiteEntry {
        list.reduce(self) { entry, element in
            entry.tried(element.rawValue, timeLimit: timeLimit, file: file, line: line) {
                try await body(element, $0)
            }
        }
    }

    /// Adds backends that break the requirement. The requirement must catch each of them.
    func catches(_ backends: FaultyBackend...) -> SuiteEntry {
        var entry = self
        for var backend in backends {
            backend.breaks = requirement.id
            entry.faultyBackends.append(backend)
        }
        return entry
    }
}

extension SuiteEntry {
    /// Adds a fault around a sound store.
    ///
    /// - Parameters:
    ///   - name: the name of the faulty backend.
    ///   - message: a part of the message with which the requirement must catch it.
    ///   - wrap: returns the faulty store; see ``AlteredStorage``.
    func catches(
        _ name: String, says message: String,
        _ wrap: @escaping @Sendable (any SessionStorage) throws -> any SessionStorage
    ) -> SuiteEntry {
        catches(FaultyBackend(name, says: message, wrapping: wrap))
    }

    /// Adds a fault in opening.
    ///
    /// - Parameters:
    ///   - options: options of its own.
    ///   - isChecked: whether options are checked before the opening.
    ///   - opening: opens the faulty store, with what opens a sound one.
    func catches(
        _ name: String, says message: String, options: [StorageOption] = [], isChecked: Bool = true,
        _ opening:
            @escaping @Sendable (inout StorageConfiguration, FaultyBackend.Opening) throws
            -> any SessionStorage
    ) -> SuiteEntry {
        catches(
            FaultyBackend(name, says: message, options: options, isChecked: isChecked) {
                var configuration = $0
                return try opening(&configuration, ReferenceEngine.open)
            })
    }

    /// Adds a fault in the engine below a sound store.
    func catches(_ name: String, says message: String, engine: ReferenceFaults) -> SuiteEntry {
        catches(FaultyBackend(name, says: message, engine: engine))
    }

    /// Adds a fault in a medium that several owners reach.
    func catches(_ name: String, says message: String, sharing fault: SharedMedium.Fault)
        -> SuiteEntry
    {
        catches(FaultyBackend(name, says: message, sharing: fault))
    }

    /// Adds a fault in opening a store of such a medium.
    func catches(
        _ name: String, says message: String,
        onMedium opening:
            @escaping @Sendable (MediumAccess, StorageConfiguration) throws -> any SessionStorage
    ) -> SuiteEntry {
        catches(FaultyBackend(name, says: message, onMedium: opening))
    }
}

/// Collects entries that are written one after the other into a list.
@resultBuilder
enum SuiteBuilder {
    static func buildBlock(_ entries: SuiteEntry...) -> [SuiteEntry] { entries }
}
