public import BrowserSessions

/// What a store and its engine take from the world beside their medium. Given by tests, so that a whole
/// run can be repeated; keys and nonces of the incognito side come from its cipher.
public struct StoreEnvironment: Sendable {
    /// The wall clock, which may jump.
    public var now: @Sendable () -> Timestamp
    /// Sixty-four random bits, for ids and salts. May be called from any thread.
    public var random: @Sendable () -> UInt64
    /// How long a ``ConnectedEngine`` may take for a call before it is interrupted.
    public var patience: Duration

    public init(
        now: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> UInt64,
        patience: Duration = .seconds(30)
    ) {
        self.now = now
        self.random = random
        self.patience = patience
    }

    /// The clock and the randomness of the system.
    public static let system = StoreEnvironment(
        now: { .now() }, random: { UInt64.random(in: .min ... .max) })
}

extension StoreEnvironment {
    /// A random identifier.
    func identifier<Subject>() -> Identifier<Subject> {
        var numbers = Numbers(draw: random)
        return .random(using: &numbers)
    }

    private struct Numbers: RandomNumberGenerator {
        let draw: @Sendable () -> UInt64

        mutating func next() -> UInt64 { draw() }
    }

    /// The wall clock in whole seconds since 1970.
    var seconds: Int64 { now().microseconds / 1_000_000 }
}
