public import BrowserSessions
import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension StorageError {
    /// Returns the error of a failed system call, by `number` or else by `errno`.
    public static func system(
        _ operation: String, path: String, number given: Int32? = nil
    ) -> StorageError {
        let number = given ?? platform_errno()
        let code: StorageError.Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .outOfSpace
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOENT: .notFound
            case ELOOP, ENOTDIR, EISDIR: .unsafeLocation
            default: .failed
            }
        let reason = String(cString: strerror(number))
        return StorageError(code, "cannot \(operation) '\(path)': \(reason)", operation: operation)
    }
}
