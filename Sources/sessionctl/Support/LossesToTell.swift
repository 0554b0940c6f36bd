import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

/// Losses that a command has come upon, and what it says of them at its end.
final class LossesToTell {
    private(set) var losses = StoreLosses()
    let place: String
    /// What the command does about losses itself.
    private let used: StoreLosses.Remedy?

    init(at place: String, used: StoreLosses.Remedy?) {
        self.place = place
        self.used = used
    }

    func add(_ loss: Loss) { losses.add(loss) }

    /// Incognito sessions that cannot be read are a loss where they were asked for, and else a remark.
    private func lookForIncognito(in store: any SessionStorage, isAskedFor: Bool) {
        guard let problem = store.traits.incognitoProblem else { return }
        if isAskedFor {
            losses.incognitoProblem = problem
        } else {
            Console.message("incognito sessions at '\(place)' cannot be read: \(problem)")
        }
    }

    func countTabs(of store: any SessionStorage) async { await losses.countTabs(of: store) }

    /// The end of a command that has given out what can be read.
    func conclude() throws {
        guard !losses.isEmpty else { return }
        losses.tell(of: place, isPartial: true, used: used)
        throw ExitCode.damaged
    }
}

extension StoreArguments {
    /// Opens the store and does what needs everything that was saved. If something of it is lost, says
    /// what and ends with 1, unless a part is enough: then it works with what is left.
    ///
    /// - Parameters:
    ///   - reading: what is read before the work begins, if everything is needed.
    ///   - incognito: whether incognito sessions are asked for, too.
    ///   - used: what the command does about losses itself.
    ///   - work: is given whom to tell of losses; `nil` if there must be none.
    /// - Returns: what was lost, to be concluded when the result is out.
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
    /// What is read to find losses before work begins.
    enum Reading {
        /// Nothing: the work comes upon all of them itself, and what it gave out is taken back then.
        case nothing
        /// What tells of the most.
        case metadata
        /// All, because what the work gives out cannot be taken back.
        case everything
    }

    /// The same for a store that is open. The work may use another one, if errors of that are
    /// ``BrowserSessions/StorageError/ofTarget``: they say nothing of what this one lost.
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
                await found.countTabs(of: store)
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
        losses.tell(of: place, isPartial: false, used: used)
        throw ExitCode.damaged
    }
}

extension ResolvedSelection {
    /// The argument by which a command finds the store: a path, or a URL without what this command alone
    /// needs.
    var argument: String {
        backend.locationForm == .path
            ? configuration.location : url(leavingOut: Set(StorePurpose.look.options.keys))
    }
}
