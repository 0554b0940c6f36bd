import ArgumentParser
import ToolSupport

/// A command that only reads a store and changes nothing in it, whatever state the store is in.
///
/// It opens the store to ``ToolSupport/StorePurpose/look``. An interruption removes what the
/// command made, such as a partly written file, or a copy for an engine that can only open a copy.
protocol LookingCommand: AsyncParsableCommand, Sendable {
    func look() async throws
}

extension LookingCommand {
    func run() async throws {
        try await interruptible(Self._commandName, "nothing is left of it") { try await look() }
    }
}
