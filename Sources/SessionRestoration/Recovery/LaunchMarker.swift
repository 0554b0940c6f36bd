import BrowserModel
import BrowserSessions

/// The subject of restorer identifiers.
enum RestorerSubject {}
/// The identifier that distinguishes the notes of different restorers.
typealias RestorerID = Identifier<RestorerSubject>

/// The note that a process leaves in the store for the next one, with the progress of its launch.
///
/// It is saved as properties of a session with its own kind in the regular partition, so that it
/// has the order and durability of everything else. It never contains incognito tabs.
struct LaunchMarker: Hashable {
    enum Phase: String {
        /// The process was launched and is not known to be stable yet.
        case starting
        /// The process is stable, and the user can see a window.
        case running
        /// The user sees no window. The system may end the process, which is not a crash.
        case background
        /// The process ended in an orderly way.
        case clean
        /// The process returned from `main`, or called `exit`, without closing its restorer.
        case exited
    }

    var environment: LaunchEnvironment
    var phase: Phase
    var launchedAt: Timestamp
    /// The last time at which the process is known to have run.
    var aliveAt: Timestamp
    /// The times when the crashes of a loop were noticed, the oldest first; empty without a loop.
    var crashes: [Timestamp] = []
    /// The regular tabs that are loading a page.
    var loading: [TabID] = []
    /// The tabs that were loading during the last crash of the loop.
    var suspects: [TabID] = []
    /// Whether a deletion of the incognito partition was pending.
    var hasPendingDeletion = false
    /// Whether the app is in development, so that its processes may end in any way.
    var isDevelopment = false
    /// The store's age when the process was launched, and at the last time it is known to have run;
    /// `nil` if it is not known.
    var startAge: StoreAge.Mark?
    var age: StoreAge.Mark?
    /// The same of the previous process, until this one has handled the windows that it closed last.
    var formerStartAge: StoreAge.Mark?
    var formerAge: StoreAge.Mark?
    /// The restorer that wrote the note; `nil` before it is written.
    var restorer: RestorerID?

    static let session = SessionID(window: .profileWide, kind: .launch)
    /// A limit that bounds the record. No one reads more tabs.
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
        static let hasPendingDeletion = "owes-deletion"
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
    /// The marker as attributes of its session.
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
                Name.hasPendingDeletion: hasPendingDeletion ? "yes" : "",
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

    /// Returns `nil` for another version, and if a part is missing or malformed: half a marker
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
            let pending = properties[Name.hasPendingDeletion],
            let development = properties[Name.development],
            let instance = properties[Name.instance], let restorer = properties[Name.restorer]
        else { return nil }
        environment = LaunchEnvironment(
            bootID: boot, processID: process, instance: instance)
        self.restorer = RestorerID(restorer)
        // Without these, a new count begins, and no items come back or are removed because of it.
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
        hasPendingDeletion = !pending.isEmpty
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

/// The note that the previous process left.
enum PreviousLaunch: Hashable {
    /// No marker. This is the first launch, or the first that writes markers.
    case none
    /// A marker that is damaged or was written by a newer version.
    case unreadable
    case marker(LaunchMarker)
}
