import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import demobrowser

struct PageServerTests {
    private let server = PageServer()

    @Test func everyLinkOfAPageLeadsToAPage() throws {
        for address in [PageServer.welcome, "demo:page/0", "demo:page/7"] {
            let links = try server.page(at: address).links
            expect(!links.isEmpty)
            for link in links { expect(throws: Never.self) { try server.page(at: link) } }
        }
    }

    @Test(
        arguments: ["demo:", "demo:page/", "demo:page/x", "demo:page/-1", "demo:page/1000001"])
    func aPageThatTheServerDoesNotHaveIsNotFound(address: String) {
        expectRefusal(address, "there is no page '\(address)': ")
    }

    @Test(arguments: ["https://example.org/", "", "welcome", "Demo:welcome"])
    func anAddressOfTheNetworkIsRefused(address: String) {
        expectRefusal(address, "'\(address)' can't be opened: this browser has no network.")
    }

    @Test(
        "The title of a file is that of its HTML, else its first line, else its path",
        arguments: [
            ("<html><TITLE>A\n title</TITLE>", "A title"),
            ("\n  First line \nSecond", "First line"),
            ("<title>never closed", "<title>never closed"),
        ])
    func titles(text: String, title: String) throws {
        let folder = TemporaryFolder()
        let path = folder.file("a page.html")
        try FileSystem.replace(path, with: [UInt8](text.utf8))
        let address = "file:" + path.split(separator: " ").joined(separator: "%20")
        expect(try server.page(at: address).title == title)
        try FileSystem.replace(path, with: [])
        expect(try server.page(at: address).title == path)
    }

    @Test func aFileThatIsNotThereIsUnreadable() {
        let path = TemporaryFolder().file("none")
        expectRefusal("file:\(path)", "the file '\(path)' can't be read")
        expectRefusal("file:", "the file 'file:' can't be read")
    }

    private func expectRefusal(_ address: String, _ words: String) {
        let error = expect(throws: CommandMistake.self) { try server.page(at: address) }
        expect(error?.description.hasPrefix(words), is: true)
    }
}
