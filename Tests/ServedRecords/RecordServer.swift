import BrowserSessions
import Foundation
import Synchronization

/// Keeps records for clients in other processes: what a ``ServedEngine`` connects to.
///
/// A store has one owner at a time; epochs distinguish them. What it answers with `done` survives its own
/// end, also by a kill.
public final class RecordServer: Sendable {
    private struct State {
        var stores: [String: ServedStore] = [:]
        var lastConnection = 0
    }

    private let state = Mutex(State())
    private let folder: String

    /// - Parameter folder: where the logs of the stores are, a directory.
    public init(folder: String) { self.folder = folder }

    /// Serves every client that connects at the path, until the process ends. Calls `ready` first.
    public func run(at path: String, ready: () -> Void) throws {
        let listener = try Socket.listen(at: path)
        ready()
        // waits: each turn blocks in accept
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { continue }
            let number = state.withLock { state in
                state.lastConnection += 1
                return state.lastConnection
            }
            Thread.detachNewThread { self.serve(descriptor, number) }
        }
    }

    private func serve(_ descriptor: Int32, _ connection: Int) {
        let socket = Socket(descriptor)
        var client = Client(connection: connection, descriptor: descriptor)
        while let request = try? socket.receive() {
            guard (try? socket.send(answer(request, &client))) != nil else { break }
        }
        withExtendedLifetime(socket) { letGo(client) }
    }

    private func letGo(_ client: Client) {
        guard let name = client.store else { return }
        state.withLock { state in
            if state.stores[name]?.holder?.connection == client.connection {
                state.stores[name]?.holder = nil
            }
        }
    }

    /// Who is at the other end.
    private struct Client {
        let connection: Int
        let descriptor: Int32
        var store: String?
        var epoch: UInt64 = 0
    }

    private func answer(_ request: [UInt8], _ client: inout Client) -> [UInt8] {
        do {
            guard let code = request.first.flatMap(Request.init(rawValue:)) else {
                throw Message.Malformed()
            }
            let body = Array(request.dropFirst())
            return try state.withLock { state in
                try Self.answer(code, body, &client, &state.stores, folder)
            }
        } catch {
            var message = Message()
            message.put(Answer.refused.rawValue)
            message.put("\(error)")
            return message.bytes
        }
    }

    private static func answer(
        _ code: Request, _ body: [UInt8], _ client: inout Client,
        _ stores: inout [String: ServedStore], _ folder: String
    ) throws -> [UInt8] {
        var reader = MessageReader(body)
        var message = Message()
        if code == .connect { return try connect(&reader, &client, &stores, folder) }
        if code == .forget {
            let name = try reader.text()
            stores[name] = nil
            try? FileManager.default.removeItem(atPath: file(of: name, in: folder))
        }
        if code == .takeOver { stores[try reader.text()]?.holder = nil }
        if [.forget, .takeOver].contains(code) {
            message.put(Answer.done.rawValue)
            return message.bytes
        }
        guard let name = client.store, let store = stores[name] else { throw Message.Malformed() }
        guard store.epoch == client.epoch else {
            message.put(Answer.fenced.rawValue)
            return message.bytes
        }
        message.put(Answer.done.rawValue)
        switch code {
        case .value:
            let (space, namespace) = (try reader.byte(), try reader.text())
            let value = store.value(space, namespace, try reader.field())
            message.put(UInt8(value == nil ? 0 : 1))
            if let value { message.put(value) }
        case .scan:
            let (space, namespace) = (try reader.byte(), try reader.text())
            let prefix = try reader.field()
            let last = try reader.byte() == 1 ? try reader.field() : nil
            let (records, hasMore) = store.records(space, namespace, prefix, after: last)
            for (key, value) in records {
                message.put(UInt8(1))
                message.put(key)
                message.put(value)
            }
            message.put(UInt8(0))
            message.put(UInt8(hasMore ? 1 : 0))
        case .write: try store.write(body)
        case .destroy: try store.destroy(try reader.text())
        case .release: store.holder = nil
        case .connect, .forget, .takeOver: break
        }
        return message.bytes
    }

    private static func file(of store: String, in folder: String) -> String {
        "\(folder)/\(store.utf8.map { String($0, radix: 16) }.joined().suffix(200))"
    }

    private static func connect(
        _ reader: inout MessageReader, _ client: inout Client,
        _ stores: inout [String: ServedStore], _ folder: String
    ) throws -> [UInt8] {
        let (name, holder) = (try reader.text(), try reader.text())
        let owner = try reader.field()
        let attempt = try reader.number()
        let store = try stores[name] ?? ServedStore(file(of: name, in: folder))
        var message = Message()
        if attempt > 0, store.lastOwner != owner || store.lastAttempt >= attempt {
            message.put(Answer.fenced.rawValue)
        } else if attempt == 0, let other = store.holder, Socket.isOpen(other.descriptor) {
            message.put(Answer.locked.rawValue)
            message.put(other.name)
        } else {
            try store.take(owner, attempt)
            store.holder = (holder, client.connection, client.descriptor)
            (client.store, client.epoch) = (name, store.epoch)
            message.put(Answer.done.rawValue)
        }
        stores[name] = store
        return message.bytes
    }
}
