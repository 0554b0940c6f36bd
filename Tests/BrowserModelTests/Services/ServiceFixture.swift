import BrowserModel

/// What happened to services, in order: `+History`, `-History`, with `*` in incognito.
final class ServiceLog {
    var events: [String] = []

    func take() -> [String] {
        defer { events = [] }
        return events
    }
}

/// A service that notes its making and its end.
class LoggedService: ProfileService {
    let log: ServiceLog
    let label: String
    var atShutDown: () -> Void = {}

    required init(_ log: ServiceLog, _ profile: Profile) {
        self.log = log
        label = "\(Self.self)" + (profile.isIncognito ? "*" : "")
        log.events.append("+" + label)
    }

    func shutDown() {
        log.events.append("-" + label)
        atShutDown()
    }
}

final class History: LoggedService {}
final class Sync: LoggedService {}
final class Bookmarks: LoggedService {}
final class Sessions: LoggedService {}

struct Failure: Error, CustomStringConvertible {
    var description: String { "the disk is away" }
}

extension ServiceLog {
    /// A declaration that asks for its dependencies as a service does.
    func declare<Service: LoggedService>(
        _ type: Service.Type, _ dependencies: [LoggedService.Type] = [],
        incognito: IncognitoService = .own, creation: ServiceCreation = .atFirstUse,
        then: @escaping (Profile) throws -> Void = { _ in }
    ) -> ServiceDeclaration {
        ServiceDeclaration(
            type, dependsOn: dependencies, incognito: incognito, creation: creation
        ) { profile in
            try then(profile)
            return Service(self, profile)
        }
    }

    func manager(_ declarations: [ServiceDeclaration]) throws -> ProfileManager {
        try ProfileManager(root: "/profiles", services: ServiceRegistry(declarations))
    }
}

/// The message of the error that the call throws; `nothing was thrown` otherwise.
func message<Value>(of call: () throws -> Value) -> String {
    do {
        _ = try call()
        return "nothing was thrown"
    } catch {
        return "\(error)"
    }
}
