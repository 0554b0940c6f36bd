import BrowserModel
import Foundation
import GTKSupport

/// A run of the browser in the tour.
enum Act: String {
    case wheel, wheelBack, forest, forestBack, open, back, quiet, again, offer, trouble, crowd

    static let all = [
        Act.wheel, .wheelBack, .forest, .forestBack, .open, .back, .quiet, .again, .again, .offer,
        .trouble, .crowd,
    ]

    /// The folder of the act's profile.
    var profile: String {
        switch self {
        case .wheel, .wheelBack: "wheel"
        case .forest, .forestBack: "forest"
        default: "profile"
        }
    }

    var title: String {
        switch self {
        case .wheel: "A window, and a mouse of the X server; killed when it says that all is saved"
        case .wheelBack: "The same again"
        case .forest: "A folder in a folder, a split and a branch; killed when all is saved"
        case .forestBack: "The same again, by what is on the screen"
        case .open: "Two windows, a private one, tabs, a pin, a group; killed right after scrolling"
        case .back: "The same again, by what the engine says"
        case .quiet: "Started again, and nothing is done"
        case .again: "Killed as soon as the windows are there"
        case .offer: "After two crashes"
        case .trouble: "Loads that fail, downloads, pages that close, crash and hang"
        case .crowd: "Pages that do too much"
        }
    }

    @GLibActor
    func perform(on stage: Stage) async throws {
        switch self {
        case .wheel: try await stage.turnWheel()
        case .wheelBack: try await stage.findWheel()
        case .forest: try await stage.growForest()
        case .forestBack: try await stage.findForest()
        case .open: try await stage.openAll()
        case .back: try await stage.findAll()
        case .quiet: await stage.doNothing()
        case .again: await stage.crashAgain()
        case .offer: try await stage.takeOffer()
        case .trouble: try await stage.haveTrouble()
        case .crowd: try await stage.doTooMuch()
        }
    }
}
