import Foundation

extension Stage {
    /// Returns the processes below this one in ascending order: those of pages, the network, and others.
    func processes(_ name: String = "") -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.sorted().filter { process in
            guard process != getpid(), status(of: process)?.name.hasPrefix(name) == true else {
                return false
            }
            var parent = process
            while parent > 1, parent != getpid() { parent = status(of: parent)?.parent ?? 0 }
            return parent == getpid()
        }
    }

    private func status(of process: pid_t) -> (name: String, parent: pid_t)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
        else { return nil }
        let rest = text[close...].split(separator: " ")
        return (String(text[text.index(after: open)..<close]), pid_t(rest[2]) ?? 0)
    }
}
