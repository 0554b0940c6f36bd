import BrowserModel
import Foundation
import GLibActor

/// One run of the browser in the tour.
enum Act: String, CaseIterable {
    case open
    case back

    var title: String {
        switch self {
        case .open: "Two windows, a private one, tabs, a pin, a group; killed right after scrolling"
        case .back: "The same again, by what the engine says"
        }
    }

    @GLibActor
    func perform(on stage: Stage) async throws {
        switch self {
        case .open: try await stage.openAll()
        case .back: try await stage.findAll()
        }
    }
}
