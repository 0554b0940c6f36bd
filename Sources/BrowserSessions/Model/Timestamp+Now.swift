#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Duration {
    /// The duration in whole microseconds, clamped to the range of `Int64`.
    package var microseconds: Int64 {
        let (scaled, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isFull) = scaled.addingReportingOverflow(
            components.attoseconds / 1_000_000_000_000)
        guard isTooLong || isFull else { return sum }
        return components.seconds < 0 ? .min : .max
    }
}

extension Timestamp {
    /// Returns the time of the system's wall clock, which may jump, even backwards.
    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
            microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Returns how much later this time is than `earlier`; negative if it is earlier.
    package func timeSince(_ earlier: Timestamp) -> Duration {
        .microseconds(microseconds.subtractingReportingOverflow(earlier.microseconds).partialValue)
    }

    /// Returns this time advanced by a duration.
    package func advanced(by duration: Duration) -> Timestamp {
        Timestamp(microseconds: microseconds &+ duration.microseconds)
    }
}
