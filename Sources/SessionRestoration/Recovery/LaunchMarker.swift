import BrowserModel
import BrowserSessions

/// Marks identifiers of restorers.
enum RestorerSubject {}
/// Tells the notes of one restorer from those of others.
typealias RestorerID = Identifier<RestorerSubject>

/// What a process leaves in the store for the next one: that it runs, and how far it came.
///
/// It is kept as the properties of a session of its own kind on the regular side, so that it obeys
/// the order and the durability of everything else. Off-the-record tabs are never named in it.
struct LaunchMarker: Hashable {
    enum Phase: String {
        /// Launched, and not yet known to be stable.
        case starting
        /// Stable, and the user can see a window.
        case running
        /// The user sees no window: the system may end the process, and that is no crash.
        case background
        /// Ended in order.
        case clean
        /// Returned from `main`, or called `exit`, without having been closed.
        case exited
    }

    var environment: LaunchEnvironment
    var phase: Phase
    var launchedAt: Timestamp
    /// The last moment at which the process is known to have run.
    var aliveAt: Timestamp
    /// When the crashes of a loop were noticed, the oldest first; empty without a loop.
    var crashes: [Timestamp] = []
    /// Regular tabs that load a page now.
    var loading: [TabID] = []
    /// Tabs that were loading during the last crash of the loop.
    var suspects: [TabID] = []
    /// The off-the-record side was to be deleted, and that had not ended.
    var owesDeletion = false
    /// Whoever develops the app ends its processes in any way.
    var isDevelopment = false
    /// The age of the store when the process was launched, and at that last moment; `nil` if that
    /// is not known.
    var startAge: StoreAge.Mark?
    var age: StoreAge.Mark?
    /// The same of the process before, as long as this one has not looked at the windows that it closed
    /// last.
    var formerStartAge: StoreAge.Mark?
    var formerAge: StoreAge.Mark?
    /// Who wrote it; `nil` before it is written.
    var restorer: RestorerID?

    static let session = SessionID(window: .profileWide, kind: .launch)
    /// More than anybody looks at; bounds the record.
    static let maximumTabs = 64
    static let maximumCrashes = 16
    private static let version = "1"

    private enum Name {
        static let version = "version"
        static let boot = "boot"
        static let process = "process"
        static let phase = "phase"
        static let launched = "launched"
        static let alive = "alive"
        static let crashes = "crashes"
        static let loading = "loading"
        static let suspects = "suspects"
        static let owesDeletion = "owes-deletion"
        static let development = "development"
        static let instance = "instance"
        static let restorer = "restorer"
        static let startAge = "start-age"
        static let age = "age"
        static let formerStartAge = "former-start-age"
        static let formerAge = "former-age"
    }
}

extension LaunchMarker {
    /// As the attributes of its session.
    var attributes: SessionAttributes {
        SessionAttributes(
            createdAt: launchedAt, lastActiveAt: aliveAt,
            properties: [
                Name.version: Self.version, Name.boot: environment.bootID,
                Name.process: String(environment.processID), Name.phase: phase.rawValue,
                Name.launched: launchedAt.savedText, Name.alive: aliveAt.savedText,
                Name.crashes: crashes.suffix(Self.maximumCrashes).map(\.savedText).joined(
                    separator: ","),
                Name.loading: Self.text(loading), Name.suspects: Self.text(suspects),
                Name.owesDeletion: owesDeletion ? "yes" : "",
                Name.development: isDevelopment ? "yes" : "",
                Name.instance: environment.instance,
                Name.restorer: restorer?.description ?? "",
            ].merging(
                [
                    Name.startAge: startAge, Name.age: age, Name.formerStartAge: formerStartAge,
                    Name.formerAge: formerAge,
                ].compactMapValues { $0?.savedText }
            ) { text, _ in text })
    }

    /// `nil` if it is not of this version, or a part of it is missing or malformed: half a marker
    /// could set tabs aside that never crashed.
    init?(_ attributes: SessionAttributes) {
        let properties = attributes.properties
        guard properties[Name.version] == Self.version, let boot = properties[Name.boot],
            let process = properties[Name.process].flatMap(Int32.init),
            let phase = properties[Name.phase].flatMap(Phase.init(rawValue:)),
            let launchedAt = Timestamp(savedText: properties[Name.launched]),
            let aliveAt = Timestamp(savedText: properties[Name.alive]),
            let crashes = Self.list(properties[Name.crashes], { Timestamp(savedText: $0) }),
            let loading = Self.list(properties[Name.loading], { TabID($0) }),
            let suspects = Self.list(properties[Name.suspects], { TabID($0) }),
            let debt = properties[Name.owesDeletion],
            let development = properties[Name.development],
            let instance = properties[Name.instance], let restorer = properties[Name.restorer]
        else { return nil }
        environment = LaunchEnvironment(
            bootID: boot, processID: process, instance: instance)
        self.restorer = RestorerID(restorer)
        // Without these a new count begins, and nothing comes back or goes for it.
        startAge = StoreAge.Mark(savedText: properties[Name.startAge])
        age = StoreAge.Mark(savedText: properties[Name.age])
        formerStartAge = StoreAge.Mark(savedText: properties[Name.formerStartAge])
        formerAge = StoreAge.Mark(savedText: properties[Name.formerAge])
        self.phase = phase
        self.launchedAt = launchedAt
        self.aliveAt = aliveAt
        self.crashes = crashes
        self.loading = loading
        self.suspects = suspects
        owesDeletion = !debt.isEmpty
        isDevelopment = !development.isEmpty
    }

    private static func text(_ tabs: [TabID]) -> String {
        tabs.suffix(maximumTabs).map(\.description).joined(separator: ",")
    }

    private static func list<Element>(
        _ text: String?, _ element: (String) -> Element?
    ) -> [Element]? {
        guard let parts = text?.split(separator: ",") else { return nil }
        let elements = parts.compactMap { element(String($0)) }
        return elements.count == parts.count ? elements : nil
    }
}

/// What was found of the process before this one.
enum PreviousLaunch: Hashable {
    /// No marker: the first launch, or the first one that writes markers.
    case none
    /// A marker that is damaged, or was written by a newer version.
    case unreadable
    case marker(LaunchMarker)
}
