import BrowserModel
public import BrowserSessions

extension SessionHistory {
    /// Forgets sites while the browser runs: closed and inactive tabs on them, those of closed windows, of a
    /// ``SessionRestorer/closeAll`` that can be undone, and of sessions that were set aside; what leads back
    /// to them in the histories of other tabs; and the same from all restore points, which stay otherwise.
    /// Everything that damage set aside in files goes, too. Private tabs are never touched.
    ///
    /// Open tabs stay, also those that show a site; close them first if they are to go. A realized tab keeps the
    /// history of its page, which the engine owns, and which is saved with the page's next change: the result
    /// names these tabs. Unload them, see ``RealizedTabs/unload(_:)``, or clear them in the engine, and call the
    /// method again.
    ///
    /// Saves what is pending before that. When it returns, everything is durable in one step of the store, and
    /// nothing of it comes back with a later save. What the user does meanwhile counts as done later.
    ///
    /// - Parameters:
    ///   - sites: hosts, or addresses of pages on them; see `ForgottenSites`.
    ///   - since: the moment since which visits are forgotten; `nil` for all.
    ///   - isDryRun: whether nothing is changed but that what is pending is saved.
    /// - Returns: what was forgotten, or would be, in numbers, and what is left in pages.
    /// - Throws: ``SessionRestorationError/storage(_:)`` if a text names no site, the store fails, cannot erase,
    ///   or has something that cannot be read: then nothing was changed, but if the store fails while it
    ///   forgets, some of it may be done; call it again. ``SessionRestorationError/notRestored``,
    ///   ``SessionRestorationError/superseded`` or ``SessionRestorationError/closed`` if the restorer is not
    ///   running.
    @discardableResult
    public func forget(
        _ sites: [String], since: Timestamp? = nil, isDryRun: Bool = false
    ) async throws(SessionRestorationError) -> ForgottenData {
        do {
            let sites = try ForgottenSites(sites, since: since)
            try await context.save()
            // What is read meanwhile to come back does not.
            if !isDryRun {
                context.clearings.begun += 1
                context.clearings.underWay += 1
            }
            defer { if !isDryRun { context.clearings.underWay -= 1 } }
            let store = context.store
            let model = ForgettingInModel(sites, components)
            var data = ForgottenData()
            data.receipt = try await store.inTurn(.regular) { () async throws in
                // Throws before anything is changed.
                let dry = try await store.call { try await $0.erase(.sites(sites, isDryRun: true)) }
                guard !isDryRun else { return dry }
                try context.checkIsRunning()
                // Nothing is sent in this turn: what the model forgets is saved after the store forgot it.
                try model.run()
                return try await store.call(changing: .regular) {
                    try await $0.erase(.sites(sites))
                }
            }
            data.keptHistories = model.keptHistories
            guard !isDryRun else { return data }
            try await model.takeOver()
            try await context.save()
            data.isErased = context.saves.traits.removalErasure == .erased
            return data
        } catch {
            throw SessionRestorationError(error)
        }
    }
}

/// The data that ``SessionHistory/forget(_:since:isDryRun:)`` removed, or would remove.
public struct ForgottenData: Hashable, Sendable {
    /// What went, in numbers alone.
    public var receipt = ForgettingReceipt()
    /// The realized tabs with pages that have something of the sites beside what they show.
    public var keptHistories: [TabID] = []
    /// Whether no file of the store contains a byte of what went, `false` for a dry run. See
    /// `StorageTraits.removalErasure`.
    public var isErased = false
}
