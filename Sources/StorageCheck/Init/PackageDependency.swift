import ArgumentParser
import BrowserSessions
import ChildProcesses
import Foundation
import StorageConformance
import StorageEngines

/// How the new package refers to Browser Sessions.
struct PackageDependency: Hashable {
    /// The package's identity in the manifest's products.
    let identity: String
    /// The call in the manifest.
    let line: String
    /// Where the manifest expects a clone, relative to the manifest's folder; `nil` if a URL is enough.
    let clonePath: String?
    /// Where to get that clone again; `nil` if unknown.
    let cloneURL: String?

    init(url: String) throws(ValidationError) {
        let last = url.split(separator: "/").last.map(String.init) ?? ""
        let identity = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        let isURL = url.contains("://") || (url.contains("@") && url.contains(":"))
        let isPlain = url.allSatisfy { $0 != "\"" && $0 != "\\" && !$0.isWhitespace }
        guard isURL, isPlain, !identity.isEmpty, identity != last || url.contains("/") else {
            throw ValidationError(
                "'\(url)' is no URL of a repository; it should look like https://host/path")
        }
        self.identity = identity
        line = ".package(url: \"\(url)\", branch: \"main\", traits: [\"Tools\"])"
        clonePath = nil
        cloneURL = nil
    }

    /// - Parameter folder: the future folder of the manifest.
    init(clone: String, seenFrom folder: String) throws(ValidationError) {
        guard Self.isClone(clone) else {
            throw ValidationError("'\(clone)' is no clone of Browser Sessions")
        }
        // The name makes the dependency independent of the clone's folder name.
        identity = Self.packageName
        let path = Self.relative(Self.real(clone), from: Self.real(folder))
        let quoted = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        line =
            ".package(name: \"\(identity)\", path: \"\(quoted)\", traits: [\"Tools\"])"
        clonePath = path
        cloneURL = Self.origin(of: clone)
    }

    private static let packageName = "browser-sessions"

    /// Returns the clone where this tool was built; `nil` if the tool is elsewhere.
    static func ownClone() -> String? {
        var folder = FileSystem.parent(of: real(ChildCommand.ownExecutable))
        while folder.count > 1 {
            if isClone(folder) { return folder }
            folder = FileSystem.parent(of: folder)
        }
        return nil
    }

    private static func isClone(_ folder: String) -> Bool {
        guard let manifest = try? FileSystem.read("\(folder)/Package.swift") else { return false }
        let text = String(decoding: manifest, as: UTF8.self)
        return text.contains("name: \"\(packageName)\"")
            && text.contains("name: \"StorageConformance\"")
    }

    /// Returns the clone's origin without user name and password; `nil` if it is not an HTTPS URL.
    private static func origin(of clone: String) -> String? {
        let git = ["/usr/bin/env", "git", "-C", clone, "remote", "get-url", "origin"]
        let line = RunningProgram.output(of: git)?.trimmingCharacters(in: .newlines)
        guard let line, var url = URLComponents(string: line),
            url.scheme == "https", url.host?.isEmpty == false
        else { return nil }
        (url.user, url.password) = (nil, nil)
        return url.string
    }

    /// Returns the path without links, even if the folder does not yet exist.
    private static func real(_ path: String) -> String {
        guard (try? FileSystem.exists(path)) != true, path.count > 1 else {
            return URL(filePath: path).resolvingSymlinksInPath().path
        }
        let name = path.split(separator: "/").last ?? ""
        let parent = real(FileSystem.parent(of: path))
        return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    private static func relative(_ path: String, from folder: String) -> String {
        let to = path.split(separator: "/")
        let from = folder.split(separator: "/")
        let common = zip(to, from).prefix { $0 == $1 }.count
        let parts = from.dropFirst(common).map { _ in ".." } + to.dropFirst(common)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }
}
