public import BrowserSessions

extension RestorationPolicy {
    /// A policy with the values of ``init()``.
    public static let defaults = RestorationPolicy()

    /// Creates a policy from the given rules, with ``defaults`` for the others.
    public init(
        saveDelay: Duration = Self.defaults.saveDelay,
        durability: Durability? = Self.defaults.durability,
        retryDelays: [Duration] = Self.defaults.retryDelays,
        stallLimit: Duration = Self.defaults.stallLimit,
        answerLimit: Duration = Self.defaults.answerLimit,
        extraStates: [StateName] = Self.defaults.extraStates,
        flushLimit: Duration = Self.defaults.flushLimit,
        maximumRealizedTabs: Int? = Self.defaults.maximumRealizedTabs,
        incognito: IncognitoPolicy = Self.defaults.incognito,
        crashes: CrashPolicy = Self.defaults.crashes,
        launchEnvironment: LaunchEnvironment? = Self.defaults.launchEnvironment,
        closingGrace: Duration? = Self.defaults.closingGrace,
        closed: ClosedTabPolicy = Self.defaults.closed,
        inactiveAge: Duration? = Self.defaults.inactiveAge,
        blankPages: Set<String> = Self.defaults.blankPages
    ) {
        self.saveDelay = saveDelay
        self.durability = durability
        self.retryDelays = retryDelays
        self.stallLimit = stallLimit
        self.answerLimit = answerLimit
        self.extraStates = extraStates
        self.flushLimit = flushLimit
        self.maximumRealizedTabs = maximumRealizedTabs
        self.incognito = incognito
        self.crashes = crashes
        self.launchEnvironment = launchEnvironment
        self.closingGrace = closingGrace
        self.closed = closed
        self.inactiveAge = inactiveAge
        self.blankPages = blankPages
    }
}

extension ClosedTabPolicy {
    /// A policy with the values of ``init()``.
    public static let defaults = ClosedTabPolicy()

    /// Creates a policy from the given rules, with ``defaults`` for the others.
    public init(
        maximumTabs: Int = Self.defaults.maximumTabs,
        maximumWindows: Int = Self.defaults.maximumWindows,
        maximumAge: Duration = Self.defaults.maximumAge
    ) {
        self.maximumTabs = maximumTabs
        self.maximumWindows = maximumWindows
        self.maximumAge = maximumAge
    }
}

extension CrashPolicy {
    /// A policy with the values of ``init()``.
    public static let defaults = CrashPolicy()

    /// Creates a policy from the given rules, with ``defaults`` for the others.
    public init(
        loopPeriod: Duration = Self.defaults.loopPeriod,
        crashesUntilSetAside: Int = Self.defaults.crashesUntilSetAside,
        crashesUntilSafeMode: Int = Self.defaults.crashesUntilSafeMode,
        maximumAge: Duration = Self.defaults.maximumAge,
        stableAfter: Duration = Self.defaults.stableAfter,
        setAsideAge: Duration = Self.defaults.setAsideAge,
        maximumSetAside: Int = Self.defaults.maximumSetAside,
        isDevelopment: Bool = Self.defaults.isDevelopment
    ) {
        self.loopPeriod = loopPeriod
        self.crashesUntilSetAside = crashesUntilSetAside
        self.crashesUntilSafeMode = crashesUntilSafeMode
        self.maximumAge = maximumAge
        self.stableAfter = stableAfter
        self.setAsideAge = setAsideAge
        self.maximumSetAside = maximumSetAside
        self.isDevelopment = isDevelopment
    }
}
