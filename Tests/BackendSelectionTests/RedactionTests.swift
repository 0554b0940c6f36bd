import BackendSelection
import BrowserSessions
import Expectations
import Foundation
import TestSupport

/// A secret is in no text that the library makes.
struct RedactionTests {
    let fakes = Fakes()
    static let canary = "canary-7c1f"

    @Test func explanationsHaveNoSecrets() throws {
        let directory = TemporaryFolder()
        let file = try directory.write(
            "a.yaml",
            "backend: sqlite\nlocation: p\nsqlite: {passphrase: \(Self.canary)-1, pin: 7}\n")
        let request = SelectionRequest(
            storage: "sqlite:p?passphrase=\(Self.canary)-2", configurationFile: file,
            options: ["passphrase=\(Self.canary)-3"],
            environment: ["SESSION_STORAGE_OPTION_PASSPHRASE": "\(Self.canary)-4"],
            workingDirectory: "/base")
        let layers = try request.layers(registry: try fakes.registry())
        let selection = try request.resolve(registry: try fakes.registry())
        expect(selection.configuration.options["passphrase"], is: .text("\(Self.canary)-3"))
        var dumped = ""
        dump(selection, to: &dumped)
        dump(layers, to: &dumped)
        let json = try JSONEncoder().encode(selection.explanation)
        let texts =
            selection.explain() + [
                selection.url, "\(selection)", String(reflecting: selection), "\(layers)",
                String(reflecting: layers), dumped, String(decoding: json, as: UTF8.self),
            ]
        for text in texts { expect(!text.contains(Self.canary), "\(text)") }
        expect(selection.url, is: "sqlite:///base/p?passphrase=•••&pin=•••")
        let entry = try require(selection.explanation.entries.first { $0.name == "passphrase" })
        expect(entry.overridden.map(\.value), is: ["•••", "•••", "•••", "•••"])
    }

    @Test(arguments: [
        "sqlite://me:CANARY@host/p", "sqlite://CANARY/p", "sqlite:///p?pin=CANARY",
        "sqlite:///p?passphrase=CANARY&passphrase=CANARY", "sqlite:///p?passphrase=CANARY#x",
        "sqlite:///p?passphrase=CANARY%", "sqlite:///p?passphras=CANARY", "sqlite:///p?CANARY",
        "sqlit:///p?passphrase=CANARY", "leveldb:///p?passphrase=CANARY", "CANARY",
        "sqlite:///p?passphrase=CANARY&create=no", "sqlite:?passphrase=CANARY",
    ])
    func errorsAboutURLsHaveNoSecrets(url: String) throws {
        let url = url.replacing("CANARY", with: Self.canary)
        for message in [
            try refusal { try fakes.resolve(storage: url) },
            try refusal { try fakes.resolve(environment: ["SESSION_STORAGE_URL": url]) },
        ] {
            expect(!message.contains(Self.canary), "\(message)")
        }
    }

    @Test(arguments: [
        ("a.json", "{\"sqlite\": {\"pin\": \"CANARY\"}}"),
        ("a.json", "{\"sqlite\": {\"passphras\": \"CANARY\"}}"),
        ("a.json", "{\"sqlite\": {\"passphrase\": \"CANARY\" x}}"),
        ("a.json", "{\"sqlite\": {\"passphrase\": \"CANARY\\x\"}}"),
        ("a.json", "{\"sqlite\": {\"passphrase\": CANARY}}"),
        ("a.json", "{\"passphrase\": \"CANARY\"}"),
        ("a.json", "{\"sqlite\": {\"passphrase\": \"CANARY\", \"passphrase\": \"CANARY\"}}"),
        ("a.json", "{\"leveldb\": {\"passphrase\": \"CANARY\"}}"),
        ("a.yaml", "sqlite: {passphrase: \"CANARY"),
        ("a.yaml", "sqlite: {passphrase: CANARY, passphrase: CANARY}"),
        ("a.yaml", "sqlite:\n  passphrase: CANARY\n bad: x"),
        ("a.yaml", "sqlite:\n  passphrase: *CANARY"),
        ("a.yaml", "sqlite:\n  passphrase: @CANARY"),
        ("a.yaml", "sqlite:\n  passphrase: !!CANARY x"),
        ("a.yaml", "sqlite:\n  pin: CANARY"),
        ("a.yaml", "sqlite:\n  pin: 7CANARY\n  passphrase: CANARY\u{1}"),
    ])
    func errorsAboutFilesHaveNoSecrets(name: String, text: String) throws {
        let directory = TemporaryFolder()
        let file = try directory.write(name, text.replacing("CANARY", with: Self.canary))
        let message = try refusal { try fakes.resolve(storage: "sqlite:p", file: file) }
        expect(!message.contains(Self.canary), "\(message)")
    }

    @Test(arguments: ["pin", "passphras"])
    func otherErrorsHaveNoSecrets(option: String) throws {
        let text = "\(option)=\(Self.canary)"
        let variable = "SESSION_STORAGE_OPTION_\(option.uppercased())"
        let values: [String: OptionValue] = [option: .text(Self.canary)]
        for message in [
            try refusal { try fakes.resolve(storage: "sqlite:p", options: [text]) },
            try refusal { try fakes.resolve(storage: "sqlite:p", options: [Self.canary]) },
            try refusal {
                try fakes.resolve(storage: "sqlite:p", environment: [variable: Self.canary])
            },
            try refusal {
                try fakes.resolve(.code(backend: "sqlite", location: "p", options: values))
            },
        ] {
            expect(!message.contains(Self.canary), "\(message)")
        }
    }
}
