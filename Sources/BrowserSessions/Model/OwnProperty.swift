/// The properties that the package writes among those of a host: notes of how a record came to where it is, as
/// of a tab that was closed. Hosts do not see them.
package enum OwnProperty {
    /// What their names begin with.
    package static let prefix = "browser-sessions."

    /// Returns whether a property is the package's own.
    package static func isOwn(_ name: String) -> Bool { name.hasPrefix(prefix) }
}

extension [String: String] {
    /// Returns the host's properties of these, with the package's own of others.
    func withOwnProperties(of other: Self) -> Self {
        filter { !OwnProperty.isOwn($0.key) }
            .merging(other.filter { OwnProperty.isOwn($0.key) }) { $1 }
    }
}
