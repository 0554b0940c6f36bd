import BrowserModel
import BrowserSessions
import SessionRestoration

extension ServiceRegistry {
    /// All services of this browser. A profile makes them, in the order of what they depend on, and
    /// whoever has the profile asks it: `profile.service(VisitedPages.self)`.
    static func browser(
        storage: any SessionStorage, engine: PageEngine, policy: RestorationPolicy
    ) throws(ServiceRegistryError) -> ServiceRegistry {
        try ServiceRegistry([
            AddressSuggestions.declaration,
            VisitedPages.declaration,
            Sessions.declaration(storage: storage, engine: engine, policy: policy),
        ])
    }
}
