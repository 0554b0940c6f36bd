package import BrowserSessions
import Foundation
package import StorageEngines
import Synchronization

/// A key store of a program, which other programs do not know, and which does what a test wants.
package final class HostKeys: IncognitoKeyStore {
    private struct Trouble: Error, CustomStringConvertible {
        var description: String { "the keychain is locked" }
    }

    private struct State {
        var keys: [IncognitoKeyID: SecretBytes] = [:]
        var isLocked = false
        var cannotDestroy = false
        var isHanging = false
        var keyScope: String?
        var callsUnderWay = 0
        var mostCallsUnderWay = 0
        var beforeDestroying: @Sendable () -> Void = {}
    }

    package let name: String
    package let survives: Durability
    /// Changes when the system restarts.
    package var keyScope: String? { state.withLock { $0.keyScope } }
    package var keepsKeysInStore: Bool { false }
    private let state: Mutex<State>
    private let condition = NSCondition()

    package init(
        _ name: String = "keychain", survives: Durability = .powerLoss, keyScope: String? = nil
    ) {
        (self.name, self.survives) = (name, survives)
        state = Mutex(State(keyScope: keyScope))
    }

    /// Holds the keys that the other one holds now.
    package init(copying other: HostKeys) {
        (name, survives) = (other.name, other.survives)
        state = Mutex(State(keys: other.keys, keyScope: other.keyScope))
    }

    package var keys: [IncognitoKeyID: SecretBytes] { state.withLock { $0.keys } }

    package func setLocked(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

    /// From now on no call is answered before ``goOn()``.
    package func hang() { condition.withLock { state.withLock { $0.isHanging = true } } }

    package func goOn() {
        condition.withLock {
            state.withLock { $0.isHanging = false }
            condition.broadcast()
        }
    }

    package func setKeyScope(_ keyScope: String?) { state.withLock { $0.keyScope = keyScope } }

    /// What somebody sees who looks from elsewhere.
    package func forgetKeys() { state.withLock { $0.keys = [:] } }

    /// How many calls there ever were at the same time.
    package var mostCallsUnderWay: Int { state.withLock { $0.mostCallsUnderWay } }

    private func waitIfHanging() {
        state.withLock { state in
            state.callsUnderWay += 1
            state.mostCallsUnderWay = max(state.mostCallsUnderWay, state.callsUnderWay)
        }
        defer { state.withLock { $0.callsUnderWay -= 1 } }
        condition.withLock {
            // waits: blocks until somebody lets it go on
            while state.withLock({ $0.isHanging }) { condition.wait() }
        }
    }

    package func setCannotDestroy(_ cannot: Bool) { state.withLock { $0.cannotDestroy = cannot } }
    package func beforeDestroying(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeDestroying = work }
    }

    /// What a key store with a fault would do: others of 32 bytes, with the same places behind them.
    package func exchangeKeys() {
        state.withLock { state in
            state.keys = state.keys.mapValues { kept in
                kept.withUnsafeBytes { kept in
                    SecretBytes(copying: kept.prefix(32).reversed() + kept.dropFirst(32))
                }
            }
        }
    }

    private func access(_ state: borrowing State) throws { if state.isLocked { throw Trouble() } }

    package func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?)
        throws
    {
        waitIfHanging()
        try state.withLock { state in
            try access(state)
            state.keys[id] = key
        }
    }

    package func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws -> SecretBytes?
    {
        waitIfHanging()
        return try state.withLock { state in
            try access(state)
            return state.keys[id]
        }
    }

    package func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) throws {
        waitIfHanging()
        state.withLock { $0.beforeDestroying }()
        try state.withLock { state in
            try access(state)
            if state.cannotDestroy { throw Trouble() }
            state.keys[id] = nil
        }
    }
}
