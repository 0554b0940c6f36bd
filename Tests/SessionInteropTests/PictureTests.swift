import Expectations
import Foundation
import PlatformCrypto

/// The picture of an exported page, in the documentation.
struct PictureTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let pictures = package.appending(
        path: "Sources/BrowserSessions/BrowserSessions.docc/Resources")

    @Test func itShowsThePageAsItIs() throws {
        let page = Self.package.appending(path: "Sources/SessionInterop/HTML/Page")
        let names = try FileManager.default.contentsOfDirectory(atPath: page.path)
        var hash = SHA256()
        for name in names.sorted() {
            hash.update([UInt8](try Data(contentsOf: page.appending(path: name))))
        }
        let sum = hash.digest().map { String(format: "%02x", $0) }.joined()
        let taken = try String(
            contentsOf: Self.pictures.appending(path: "session-page.sum"), encoding: .utf8)
        expect(
            taken, is: sum + "\n",
            "the page changed since its picture was taken: type 'make picture', and look at it")
    }

    /// The repository keeps each version of it for ever.
    @Test func itIsSmall() throws {
        let picture = try Data(contentsOf: Self.pictures.appending(path: "session-page.png"))
        expect(picture.starts(with: [0x89] + "PNG".utf8))
        expect(picture.count < 150_000)
    }
}
