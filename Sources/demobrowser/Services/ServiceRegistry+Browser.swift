import BrowserModel
import BrowserSessions
import SessionRestoration

extension ServiceRegistry {
    /// Returns all services of this browser. A profile creates them in the order of their
    /// dependencies. Request one from the profile: `profile.service(VisitedPages.self)`.
    static func browser(
        storage: any SessionStorage, policy: RestorationPolicy
    ) throws(ServiceRegistryError) -> ServiceRegistry {
        try ServiceRegistry([
            AddressSuggestions.declaration,
            VisitedPages.declaration,
            Sessions.declaration(storage: storage, policy: policy),
        ])
    }
}
