import BrowserModel
import Expectations

private final class DataLog {
    var ended: [String] = []
}

private class LoggedData: ProfileData {
    let log: DataLog
    let name: String
    var atEnd: () -> Void = {}

    init(_ name: String, _ log: DataLog) {
        self.name = name
        self.log = log
    }

    func profileDidEnd() {
        log.ended.append(name)
        atEnd()
    }
}

private final class Theme: LoggedData {}
private final class Zoom: LoggedData {}
private final class Fonts: LoggedData {}
private final class Plain: ProfileData {}

struct ProfileDataTests {
    private let log = DataLog()
    let manager = ProfileManager(root: "/profiles")
    let profile: Profile

    init() throws { profile = try manager.create(named: "anna") }

    @Test func dataIsFoundByItsType() throws {
        let theme = Theme("dark", log)
        expect(try profile.data(Theme.self) == nil)
        expect(try profile.attach(theme) == nil)
        expect(try profile.data(Theme.self) === theme)
        expect(try profile.data(Zoom.self) == nil)
        expect(try profile.data(LoggedData.self) == nil)
    }

    @Test func eachProfileAndPartitionHasItsOwn() throws {
        try profile.attach(Theme("dark", log))
        expect(try profile.createIncognito().data(Theme.self) == nil)
        expect(try manager.create(named: "bert").data(Theme.self) == nil)
    }

    @Test func dataEndsInReverseOrderOfAttachment() throws {
        try profile.attach(Theme("theme", log))
        try profile.attach(Zoom("zoom", log))
        try profile.attach(Plain())
        try profile.attach(Fonts("fonts", log))
        profile.end()
        profile.end()
        expect(log.ended, is: ["fonts", "zoom", "theme"])
    }

    @Test func replacedOrDetachedDataDoesNotEndWithTheProfile() throws {
        let first = Theme("first", log)
        try profile.attach(first)
        try profile.attach(Zoom("zoom", log))
        try profile.attach(Fonts("fonts", log))
        expect(try profile.attach(Theme("second", log)) === first)
        expect(try profile.detach(Fonts.self)?.name == "fonts")
        expect(try profile.detach(Fonts.self) == nil)
        profile.end()
        expect(log.ended, is: ["second", "zoom"])
    }

    @Test func dataEndsAfterTheServices() throws {
        let services = ServiceLog()
        let manager = try services.manager([services.declare(History.self)])
        let profile = try manager.create(named: "anna")
        try profile.attach(Theme("theme", log))
        var found: String?
        try profile.service(History.self).atShutDown = {
            found = try? profile.data(Theme.self)?.name
        }
        profile.end()
        expect(found, is: "theme")
        expect(log.ended, is: ["theme"])
    }

    @Test func dataOfASideIsGoneWithIt() throws {
        try profile.attach(Zoom("zoom", log))
        try profile.createIncognito().attach(Theme("theme", log))
        profile.destroyIncognito()
        expect(log.ended, is: ["theme"])
        expect(try profile.createIncognito().data(Theme.self) == nil)
    }

    @Test func dataMayDetachOtherDataAtItsEnd() throws {
        try profile.attach(Theme("theme", log))
        let zoom = Zoom("zoom", log)
        zoom.atEnd = { [profile] in _ = try? profile.detach(Theme.self) }
        try profile.attach(zoom)
        profile.end()
        expect(log.ended, is: ["zoom"])
    }

    @Test func anEndedProfileHasNoDataAndTakesNone() throws {
        try profile.attach(Theme("theme", log))
        profile.end()
        let expected = "profile 'anna' has ended; create it again with its ProfileManager"
        expect(message { try profile.data(Theme.self) }, is: expected)
        expect(message { try profile.attach(Theme("late", log)) }, is: expected)
        expect(message { try profile.detach(Theme.self) }, is: expected)
    }

    @Test func noDataIsAttachedWhileTheProfileShutsDown() throws {
        var text = ""
        let theme = Theme("theme", log)
        theme.atEnd = { [profile, log] in
            text = message { try profile.attach(Zoom("late", log)) }
        }
        try profile.attach(theme)
        profile.end()
        expect(text.contains("has ended"))
        expect(log.ended, is: ["theme"])
    }
}
