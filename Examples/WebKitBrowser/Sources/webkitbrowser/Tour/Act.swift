import BrowserModel
import Foundation
import GTKSupport

/// A run of the browser in the tour.
enum Act: String {
    case wheel, wheelBack, open, back, quiet, again, offer, trouble, crowd

    static let all = [
        Act.wheel, .wheelBack, .open, .back, .quiet, .again, .again, .offer, .trouble, .crowd,
    ]

    /// The folder of the act's profile.
    var profile: String { [.wheel, .wheelBack].contains(self) ? "wheel" : "profile" }

    var title: String {
        switch self {
        case .wheel: "A window, and a mouse of the X server; killed when it says that all is saved"
        case .wheelBack: "The same again"
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
