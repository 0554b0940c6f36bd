#if !Servers
    #error("SessionLifecycle needs .package(url: …, traits: [\"Servers\"]) of browser-sessions")
#endif
