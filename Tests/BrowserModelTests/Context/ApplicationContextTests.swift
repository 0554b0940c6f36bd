import BrowserModel
import Expectations

/// A user of a server: all of its model lives on its actor.
private actor User {
    private let context: ApplicationContext

    init(_ number: Int) throws {
        let log = ServiceLog()
        context = ApplicationContext(
            root: "/users/\(number)", services: try ServiceRegistry([log.declare(History.self)]))
    }

    func browse() throws -> String {
        let profile = try context.profiles.create(named: "me")
        _ = try profile.service(History.self)
        let directory = try profile.createIncognito().directory
        profile.end()
        return directory
    }
}

struct ApplicationContextTests {
    @Test func settingsAreSharedByAllProfiles() throws {
        let context = ApplicationContext(root: "/profiles")
        let profile = try context.profiles.create(named: "anna")
        let key = SettingKey("tabs.days", default: 21)
        try context.localSettings.set(3, for: key)
        expect(try profile.localSettings.value(of: key) == 3)
        expect(try context.profiles.create(named: "bert").localSettings === context.localSettings)
    }

    @Test func twoContextsShareNothing() throws {
        let (one, other) = (ApplicationContext(root: "/a"), ApplicationContext(root: "/a"))
        try one.profiles.create(named: "anna")
        expect(other.profiles.profiles.isEmpty)
        expect(one.localSettings !== other.localSettings)
    }

    @Test func aThousandProfilesLiveOnActorsOfTheirOwn() async throws {
        let directories = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<1000 {
                group.addTask { try await User(number).browse() }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        expect(directories.count, is: 1000)
        expect(directories.contains("/users/7/me/OTR"))
    }

    @MainActor @Test func servicesMayBeBoundToTheMainActor() throws {
        let context = ApplicationContext(
            root: "/profiles",
            services: try ServiceRegistry([
                ServiceDeclaration(Toolbar.self) { _ in Toolbar() }
            ]))
        let profile = try context.profiles.create(named: "anna")
        let toolbar = try profile.service(Toolbar.self)
        profile.end()
        expect(toolbar.isShutDown)
    }
}

@MainActor private final class Toolbar: @MainActor ProfileService {
    var isShutDown = false
    func shutDown() { isShutDown = true }
}
