import TestSupport
import Testing

/// `make browsers` alone starts browsers: they are installed for it, and take their time.
@Suite("Real browsers", .serialized, .enabled(if: Judge.areWanted, Judge.unwanted))
struct RealBrowsers {
    let folder = TemporaryFolder()
    let plan: Plan

    init() throws { plan = try Plan() }
}
