public import BrowserSessions

/// What a store and its engine take from outside, beside their medium. Tests supply their own, so
/// that a whole run can be repeated. Keys and nonces of the incognito partition come from its
/// cipher.
public struct StoreEnvironment: Sendable {
    /// Returns the wall-clock time, which may jump.
    public var now: @Sendable () -> Timestamp
    /// Returns the time since some moment, which never jumps back, also while the machine sleeps.
    public var uptime: @Sendable () -> Duration
    /// Returns 64 random bits, for ids and salts. May be called from any thread.
    public var random: @Sendable () -> UInt64
    /// How long a call of a ``ConnectedEngine`` may take before it is interrupted.
    public var timeout: Duration

    /// Creates an environment. By default the system says how much time passes, and calls of
    /// connected engines may take 30 seconds.
    public init(
        now: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> UInt64,
        uptime: @escaping @Sendable () -> Duration = Self.systemUptime,
        timeout: Duration = .seconds(30)
    ) {
        self.now = now
        self.random = random
        self.uptime = uptime
        self.timeout = timeout
    }

    /// The time since the first call, by the system's continuous clock.
    public static let systemUptime: @Sendable () -> Duration = {
        let begin = ContinuousClock.now
        return { ContinuousClock.now - begin }
    }()

    /// The clock and the randomness of the system.
    public static let system = StoreEnvironment(
        now: { .now() }, random: { UInt64.random(in: .min ... .max) })
}

extension StoreEnvironment {
    /// Returns a random identifier.
    func identifier<Subject>() -> Identifier<Subject> {
        var numbers = Numbers(draw: random)
        return .random(using: &numbers)
    }

    private struct Numbers: RandomNumberGenerator {
        let draw: @Sendable () -> UInt64

        mutating func next() -> UInt64 { draw() }
    }

    /// The wall-clock time, in whole seconds since 1970.
    var seconds: Int64 { now().microseconds / 1_000_000 }
}
