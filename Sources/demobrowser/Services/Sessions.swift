import BrowserModel
import BrowserSessions
import Logging
import SessionRestoration

/// The sessions of a profile: a restorer that brings back its windows and saves them.
final class Sessions: ProfileService {
    let restorer: SessionRestorer

    init(
        of profile: Profile, storage: any SessionStorage, policy: RestorationPolicy
    ) {
        var logger = Logger(label: "demobrowser")
        logger.logLevel = .warning
        profile.windows.webEngine = PageEngine()
        restorer = SessionRestorer(
            profile: profile, storage: storage, policy: policy, logger: logger)
    }

    /// - Parameter storage: the store of this browser's only profile.
    static func declaration(
        storage: any SessionStorage, policy: RestorationPolicy
    ) -> ServiceDeclaration {
        ServiceDeclaration(Sessions.self, creation: .withProfile) {
            Sessions(of: $0, storage: storage, policy: policy)
        }
    }

    /// Does nothing. The profile keeps the restorer, which saves and closes itself after all
    /// services, so that their last changes are saved, too. This continues after the profile has
    /// ended, so a browser that quits awaits `restorer.close()` first.
    func shutDown() {}
}
