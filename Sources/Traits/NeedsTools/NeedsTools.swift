#if !Tools
    #error("The tools need .package(url: …, traits: [\"Tools\"]) of browser-sessions")
#endif
