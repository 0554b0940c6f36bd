import BrowserDriving
import Foundation
import SessionInterop
import StorageEngines
import Testing

/// A browser that judges what is read of it and written for it.
enum Judge: String, CaseIterable, CustomTestStringConvertible {
    case chromium = "Chromium"
    case firefox = "Firefox"

    var testDescription: String { rawValue }

    /// Whether browsers are to be started at all.
    static let areWanted = ProcessInfo.processInfo.environment["BROWSERS"] == "1"
    static let unwanted: Comment = "browsers are started by make browsers alone: BROWSERS=1"

    /// The format that is written for it.
    var format: ExportFormat {
        switch self {
        case .chromium: .chromium
        case .firefox: .firefox
        }
    }

    var isInstalled: Bool {
        switch self {
        case .chromium: Chromium.program != nil
        case .firefox: Firefox.program != nil
        }
    }

    /// Starts it; the test is skipped where it is not installed.
    ///
    /// - Parameter restoring: whether it opens what the profile has. Firefox always does.
    func start(_ profile: String, restoring: Bool = false) throws -> any DrivenBrowser {
        guard isInstalled else { try Test.cancel("\(rawValue) is not installed") }
        switch self {
        case .chromium: return try Chromium(profile: profile, restoring: restoring)
        case .firefox: return try Firefox(profile: profile)
        }
    }

    /// Makes a profile in which the browser finds just these files of its last session.
    ///
    /// Chromium has to have made the profile itself: it passes over the sessions of others.
    func makeProfile(_ profile: String, with files: [ExportedFile]) throws {
        var folder = profile
        if self == .chromium {
            try start(profile).close()
            folder += "/Default/Sessions"
            try FileSystem.remove(profile + "/Default/Sessions_Encrypted")
            try FileSystem.remove(folder)
        }
        try FileSystem.makeDirectory(folder)
        for file in files {
            let name = file.path.isEmpty ? format.fileName ?? "" : file.path
            try FileSystem.replace("\(folder)/\(name)", with: file.bytes)
        }
    }
}
