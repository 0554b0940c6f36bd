/// Receives the events of a restorer, in the isolation of the model. A class of the main actor
/// conforms as `@MainActor SessionRestorerObserver`.
public protocol SessionRestorerObserver: AnyObject {
    /// Notifies the observer of an event. Events arrive in the order in which they happen.
    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent)
}
