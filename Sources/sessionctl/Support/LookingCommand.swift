import ArgumentParser
import ToolSupport

/// A command that only looks into a store: nothing of that changes, whatever state it is in.
///
/// It opens the store ``ToolSupport/StorePurpose/look``. What is made on the way, a copy for an engine that
/// could not open a store otherwise and a file that is written in part, goes when the command is interrupted.
protocol LookingCommand: AsyncParsableCommand, Sendable {
    func look() async throws
}

extension LookingCommand {
    func run() async throws {
        try await interruptible(Self._commandName, "nothing is left of it") { try await look() }
    }
}
