import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileStatus {
    init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        size = Int(raw.st_size)
        owner = raw.st_uid
        permissions = UInt32(raw.st_mode & 0o7777)
        links = Int(raw.st_nlink)
        #if canImport(Darwin)
            modified = Int64(raw.st_mtimespec.tv_sec)
        #else
            modified = Int64(raw.st_mtim.tv_sec)
        #endif
    }
}
