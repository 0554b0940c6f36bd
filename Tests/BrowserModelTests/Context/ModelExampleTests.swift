import BrowserModel
import TestSupport
import Testing

final class ReadingList: ProfileService {
    var addresses: [String] = []
    func shutDown() {}
}

final class Suggestions: ProfileService {
    private let list: ReadingList
    init(of profile: Profile) throws { list = try profile.service(ReadingList.self) }
    func suggest(_ text: String) -> [String] { list.addresses.filter { $0.contains(text) } }
    func shutDown() {}
}

/// The examples of BrowserModel.md.
struct ModelExampleTests {
    @Test func aHostHasProfilesWindowsAndTabs() throws {
        let home = TemporaryFolder()
        let folder = home.path

        let context = try ApplicationContext(keptIn: folder)
        let profile = try context.profiles.create(named: "default")
        let window = try profile.windows.open()
        let tab = Tab(url: "https://swift.org/", title: "Swift")
        try window.tabs.insert(tab, as: .active)
        try window.tabs.pin(tab)
        #expect(window.tabs.map(\.title) == ["Swift"])
    }

    @Test func aProfileHasServicesThatDependOnOthers() throws {
        let services = try ServiceRegistry([
            ServiceDeclaration(Suggestions.self, dependsOn: [ReadingList.self]) {
                try Suggestions(of: $0)
            },
            ServiceDeclaration(ReadingList.self, creation: .withProfile) { _ in ReadingList() },
        ])
        let context = ApplicationContext(root: "profiles", services: services)
        let profile = try context.profiles.create(named: "default")
        try profile.service(ReadingList.self).addresses.append("https://swift.org/")
        #expect(try profile.service(Suggestions.self).suggest("swift") == ["https://swift.org/"])
    }
}
