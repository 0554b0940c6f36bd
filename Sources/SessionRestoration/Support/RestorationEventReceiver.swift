/// Passes a restorer's events to the host.
protocol RestorationEventReceiver: AnyObject {
    func receive(_ event: RestorationEvent)
}
