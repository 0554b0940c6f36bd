import BrowserSessions

/// The decision at launch, from the note of the previous process. For reasons, see <doc:Recovery>.
enum CrashRules {
    static func assess(
        _ previous: PreviousLaunch, in environment: LaunchEnvironment, at now: Timestamp,
        _ policy: CrashPolicy
    ) -> LaunchAssessment {
        var assessment = LaunchAssessment()
        guard case .marker(let marker) = previous else {
            assessment.kind = previous == .unreadable ? .unknown : .firstLaunch
            return assessment
        }
        switch marker.phase {
        case .clean: assessment.kind = .clean
        case .exited: assessment.kind = .exited
        case .background: assessment.kind = .endedInBackground
        case .starting, .running:
            if marker.environment.isSameProcess(as: environment) {
                assessment.kind = .sameProcess
            } else if marker.isDevelopment {
                assessment.kind = .endedInDevelopment
            } else if marker.environment.bootID != environment.bootID {
                assessment.kind = .afterRestartOfTheSystem
            } else {
                return afterCrash(of: marker, at: now, policy)
            }
        }
        return assessment
    }

    private static func afterCrash(
        of marker: LaunchMarker, at now: Timestamp, _ policy: CrashPolicy
    ) -> LaunchAssessment {
        var assessment = LaunchAssessment()
        // The crash before it was noticed when the crashed process was launched, so the time since then is
        // the time between the two. A clock that was set back makes it negative. The time is then unknown,
        // and the tabs come back.
        let time = now.timeSince(marker.launchedAt)
        let isLoop = time >= .zero && time <= policy.loopPeriod
        let count = isLoop ? marker.crashes.count + 1 : 1
        assessment.kind = .afterCrash(count: count)
        if count >= policy.crashesUntilSetAside {
            assessment.decision = .setAside(.crashLoop)
        } else if now.timeSince(marker.aliveAt) > policy.maximumAge {
            assessment.decision = .setAside(.old)
        }
        assessment.safeModeAdvised = count >= policy.crashesUntilSafeMode
        assessment.suspects = Set(marker.loading)
        if isLoop {
            assessment.suspects.formUnion(marker.suspects)
            assessment.repeatedSuspects = Set(marker.loading).intersection(marker.suspects)
        }
        return assessment
    }

    /// Returns the note of the process that starts now.
    static func marker(
        after previous: PreviousLaunch, _ assessment: LaunchAssessment,
        in environment: LaunchEnvironment, at now: Timestamp, _ policy: CrashPolicy
    ) -> LaunchMarker {
        var marker = LaunchMarker(
            environment: environment, phase: .starting, launchedAt: now, aliveAt: now)
        marker.isDevelopment = policy.isDevelopment
        guard case .marker(let last) = previous else { return marker }
        if assessment.kind == .sameProcess {
            // It is the same launch. A loop continues if it crashes.
            marker.launchedAt = last.launchedAt
            marker.crashes = last.crashes
            marker.suspects = last.suspects
        }
        guard case .afterCrash(let count) = assessment.kind else { return marker }
        marker.crashes = Array((last.crashes + [now]).suffix(count))
        marker.suspects = last.loading
        return marker
    }
}
