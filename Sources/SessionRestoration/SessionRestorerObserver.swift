/// Receives the events of a restorer, in the isolation of the model. A class of the main actor
/// conforms as `@MainActor SessionRestorerObserver`.
public protocol SessionRestorerObserver: AnyObject {
    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent)
}
