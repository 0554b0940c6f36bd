import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

/// The losses that a command found, and the report about them at its end.
final class LossesToTell {
    private(set) var losses = StoreLosses()
    let place: String
    /// The remedy that the command itself is.
    private let used: StoreLosses.Remedy?

    init(at place: String, used: StoreLosses.Remedy?) {
        self.place = place
        self.used = used
    }

    func add(_ loss: Loss) { losses.add(loss) }

    /// Notes a problem with incognito sessions. It is a loss if they were requested, and otherwise a remark.
    private func lookForIncognito(in store: any SessionStorage, isAskedFor: Bool) {
        guard let problem = store.traits.incognitoProblem else { return }
        if isAskedFor {
            losses.incognitoProblem = problem
        } else {
            Console.remark("incognito sessions at '\(place)' cannot be read: \(problem)")
        }
    }

    /// Ends a command that has output what can be read. Throws ``ExitCode/damaged`` if there are losses.
    func conclude() throws {
        guard !losses.isEmpty else { return }
        Console.messages(losses.lines(of: place, isPartial: true, used: used))
        throw ExitCode.damaged
    }
}

extension StoreArguments {
    /// Opens the store and does work that needs everything that was saved. If something is lost, reports it
    /// and ends with 1, unless a part is enough. In that case, the work uses what remains.
    ///
    /// - Parameters:
    ///   - reading: what is read before the work begins, if everything is needed.
    ///   - incognito: whether incognito sessions are requested, too.
    ///   - used: the remedy that the command itself is.
    ///   - work: receives the handler of losses; `nil` if there must be none.
    /// - Returns: the losses. Call ``LossesToTell/conclude()`` on them after the result is written.
    func tellingLosses(
        isPartial: Bool, reading: LossesToTell.Reading, incognito: Bool,
        used: StoreLosses.Remedy? = nil,
        _ work: (any SessionStorage, LossHandler?) async throws -> Void
    ) async throws -> LossesToTell {
        let selection = try resolve(to: .look)
        return try await withOpen(selection) { store in
            try await LossesToTell.telling(
                of: store, at: selection.argument, isPartial: isPartial, reading: reading,
                incognito: incognito, used: used
            ) { try await work(store, $0) }
        }
    }
}

extension LossesToTell {
    /// The part of a store to read to find losses before the work begins.
    enum Reading {
        /// Nothing. The work finds all losses itself, and its output is then discarded.
        case nothing
        /// The metadata, which reveals most losses.
        case metadata
        /// Everything, because the output of the work cannot be taken back.
        case everything
    }

    /// Does the same for an open store. The work may use another store if that store's errors are
    /// ``BrowserSessions/StorageError/ofTarget``, because they say nothing about losses of this one.
    static func telling(
        of store: any SessionStorage, at place: String, isPartial: Bool, reading: Reading,
        incognito: Bool, used: StoreLosses.Remedy? = nil,
        _ work: (LossHandler?) async throws -> Void
    ) async throws -> LossesToTell {
        let found = LossesToTell(at: place, used: used)
        found.lookForIncognito(in: store, isAskedFor: incognito)
        let problem = found.losses.incognitoProblem
        var losses = StoreLosses()
        do {
            if isPartial {
                try await work { found.add($0) }
                await found.losses.countTabs(of: store)
                return found
            }
            switch reading {
            case .nothing: break
            case .metadata: losses = try await StoreLosses(in: store)
            case .everything: losses = try await StoreLosses(checking: store)
            }
            losses.incognitoProblem = problem
            if losses.isEmpty {
                try await work(nil)
                return found
            }
        } catch let error as StorageError
            where error.code == .corrupted && error.operation != StorageError.copying
        {
            losses = try await StoreLosses(checking: store)
            losses.incognitoProblem = problem
            if losses.isEmpty { throw error }
        }
        Console.messages(losses.lines(of: place, isPartial: false, used: used))
        throw ExitCode.damaged
    }
}

extension ResolvedSelection {
    /// The argument with which a command finds the store: a path, or a URL without the options that
    /// only this command needs.
    var argument: String {
        backend.locationForm == .path
            ? configuration.location : url(leavingOut: Set(StorePurpose.look.options.keys))
    }
}
