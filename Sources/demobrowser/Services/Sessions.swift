import BrowserModel
import BrowserSessions
import Logging
import SessionRestoration

/// The sessions of a profile: its restorer, which brings its windows back and saves them.
final class Sessions: ProfileService {
    let restorer: SessionRestorer

    init(
        of profile: Profile, storage: any SessionStorage, engine: PageEngine,
        policy: RestorationPolicy
    ) {
        var logger = Logger(label: "demobrowser")
        logger.logLevel = .warning
        restorer = SessionRestorer(
            profile: profile, storage: storage, engine: engine, policy: policy, logger: logger)
    }

    /// - Parameter storage: the store of the one profile that this browser has.
    static func declaration(
        storage: any SessionStorage, engine: PageEngine, policy: RestorationPolicy
    ) -> ServiceDeclaration {
        ServiceDeclaration(Sessions.self, creation: .withProfile) {
            Sessions(of: $0, storage: storage, engine: engine, policy: policy)
        }
    }

    /// Nothing is to be done: the profile keeps the restorer, which saves and closes by itself
    /// after all services, so that what they change at their end is saved as well. That goes on
    /// after the profile has ended; a browser that quits awaits `restorer.close()` before.
    func shutDown() {}
}
