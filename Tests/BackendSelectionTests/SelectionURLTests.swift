import BackendSelection
import BrowserSessions
import Expectations

struct SelectionURLTests {
    let fakes = Fakes()

    @Test(arguments: [
        ("sqlite:///var/profile", "/var/profile"),
        ("sqlite:/var/profile", "/var/profile"),
        ("sqlite:profile", "/base/profile"),
        ("sqlite:./profile", "/base/profile"),
        ("sqlite:../profile", "/base/../profile"),
        ("sqlite:~/profile", "/home/me/profile"),
        ("sqlite:~", "/home/me/"),
        ("sqlite:%7E/profile", "/base/~/profile"),
        ("sqlite:///a%20b%2Fc%3Fd%23e", "/a b/c?d#e"),
        ("sqlite:///%C3%A4", "/ä"),
        ("sqlite:///a+b", "/a+b"),
        ("sqlite:///{backend}", "/{backend}"),
        ("sqlite:c:/d", "/base/c:/d"),
    ])
    func locations(url: String, location: String) throws {
        let selection = try fakes.resolve(storage: url)
        expect(selection.backend.name, is: "sqlite")
        expect(selection.configuration, is: StorageConfiguration(location: location))
    }

    @Test func optionsAreReadByTheirKinds() throws {
        let selection = try fakes.resolve(
            storage: "sqlite:///p?durability=processCrash&create=false&pageCacheKiB=4096"
                + "&maximumStateBytes=16MiB&label=a%26b=c")
        expect(
            selection.configuration.options,
            is: [
                "durability": .text("processCrash"), "create": .bool(false),
                "pageCacheKiB": .integer(4096), "maximumStateBytes": .integer(16 << 20),
                "label": .text("a&b=c"),
            ])
    }

    @Test func aSchemeAloneLeavesTheLocationToOthers() throws {
        let selection = try fakes.resolve(
            storage: "leveldb:", environment: ["SESSION_STORAGE_LOCATION": "/p"])
        expect(selection.backend.name, is: "leveldb")
        expect(selection.configuration.location, is: "/p")
        expect(try refusal { try fakes.resolve(storage: "leveldb:") }.contains("no location"))
    }

    @Test(arguments: [
        ("sqlite", "not a URL"),
        ("/var/profile", "not a URL"),
        (":///p", "not a URL"),
        ("", "not a URL"),
        ("sqlite://", "three slashes"),
        ("sqlite://host/p", "three slashes"),
        ("sqlite://me:word@host:80/p", "three slashes"),
        ("sqlite:///p#part", "fragment"),
        ("sqlite:///p%2", "percent escape"),
        ("sqlite:///p%zz", "percent escape"),
        ("sqlite:///%FF", "percent escape"),
        ("sqlite:///a%00", "NUL"),
        ("sqlite:~you/p", "'./~…'"),
        ("sqlite:///p?", "option=value"),
        ("sqlite:///p?create", "option=value"),
        ("sqlite:///p?=true", "option=value"),
        ("sqlite:///p?create=true&", "option=value"),
        ("sqlite:///p?create=true&create=true", "option 'create' is there twice"),
        ("sqlite:///p?create=true&cre%61te=false", "option 'create' is there twice"),
        ("sqlit:///p", "there is no backend 'sqlit'; did you mean 'sqlite'?"),
        ("sqlite:///p?durabilty=memory", "no option 'durabilty'; did you mean 'durability'?"),
        ("sqlite:///p?create=yes", "must be true or false, not 'yes'"),
    ])
    func otherFormsAreRefused(url: String, problem: String) throws {
        let message = try refusal { try fakes.resolve(storage: url) }
        expect(message.hasPrefix("select: URL of --storage: "), "\(message)")
        expect(message.contains(problem), "\(message)")

    }

    @Test(arguments: [
        "/var/profile", "/", "//a", "/a b/c?d#e%f", "/ä/~/{x}", "relative", "~name", "a:b@c",
    ])
    func theURLOfASelectionSelectsTheSame(location: String) throws {
        let options: [String: OptionValue] = [
            "durability": .text("memory"), "label": .text("a&b=c+d é"), "create": .bool(false),
            "maximumStateBytes": .integer(5),
        ]
        let first = try fakes.resolve(
            .code(backend: "sqlite", location: location, options: options))
        let layer = try SelectionLayer.url(
            first.url, from: .url(argument: "--storage"), directory: "", home: "/home/me")
        let second = try fakes.resolve(layer)
        expect(second.configuration, is: first.configuration)
        expect("\(second)", is: first.url)
    }
}
