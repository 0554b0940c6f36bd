import Expectations
import Foundation

@testable import SessionInterop

/// The files in `Fixtures`.
enum Fixtures {
    static func path(_ name: String) throws -> String {
        try require(Bundle.module.resourceURL).path + "/Fixtures/" + name
    }

    /// An archive of Chrome for iOS, which another program encoded.
    static func archive() throws -> [UInt8] {
        try SourceFile.read(path("ChromeIOSArchive/session.plist"), limit: 1 << 20)
    }
}
