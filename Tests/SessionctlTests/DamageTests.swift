import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

struct DamageTests {
    private let workspace = Workspace()

    /// A title that is in the sample, and nowhere else in a store.
    private let title = "Trains to Lyon"

    @Test("Damage exits with code 1, and a repair accepts it", arguments: Workspace.backends)
    func damagedStore(backend: String) throws {
        let store = try workspace.imported(backend)
        expect(try workspace.harm(title) > 0)
        let digest = try Tool.run(["digest", "--storage", store])
        digest.expectRefusal("A part of what was saved at '", status: 1)
        let list = try Tool.run(["list", "--storage", store, "--format", "json"])
        expect(try list.json(status: 1).elements.contains { ($0["losses"].integer ?? 0) > 0 })
        let check = try Tool.run(["check", "--storage", store])
        expect(check.status, is: 1)
        expect(check.output.contains("\nloss: "))
        expect(check.output.hasSuffix("something was lost\n"))
        expect(check.messages.hasPrefix("A part of what was saved at '"))
        let repair = try Tool.run(["repair", "--storage", store, "--format", "json"])
        let json = try repair.json()
        expect(json["isHealthy"] == .bool(true) && json["isRepaired"] == .bool(true))
        expect(!json["losses"].elements.isEmpty)
        for outcome in [digest, check, repair] {
            expect(!(outcome.output + outcome.messages).contains(title.dropFirst(4)))
        }
        expect(try !FileSystem.contents(of: workspace.file("profile/quarantine")).isEmpty)
        try Tool.run(["check", "--storage", store]).expectSuccess()
        let kept = try Tool.run(["digest", "--storage", store]).expectSuccess()
        let erasure = try Tool.run(["erase-removed", "--storage", store, "--format", "json"])
        let sessions = try Tool.run(["list", "--format", "json", "--storage", store]).json()
        expect(try erasure.json()["keptSessions"].integer == sessions.elements.count)
        expect(try FileSystem.contents(of: workspace.file("profile/quarantine")) == [])
        expect(try Tool.run(["digest", "--storage", store]).output == kept)
    }

    @Test("What is lost and not accepted is not erased", arguments: Workspace.backends)
    func erasingADamagedStore(backend: String) throws {
        let store = try workspace.imported(backend)
        expect(try workspace.harm(title) > 0)
        try Tool.run(["erase-removed", "--storage", store]).expectRefusal(
            "call 'repair'", status: 1)
        expect(try !FileSystem.contents(of: workspace.file("profile/quarantine")).isEmpty)
    }
}
