#if !Tools
    #error(
        "The tools need .package(url: …, traits: [\"Tools\"]) of browser-sessions. If you use none of it, SwiftPM built what an earlier command had planned: touch Package.swift"
    )
#endif
