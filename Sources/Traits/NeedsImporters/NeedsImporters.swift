#if !Importers
    #error(
        "SessionInterop needs .package(url: …, traits: [\"Importers\"]) of browser-sessions. If you use none of it, SwiftPM built what an earlier command had planned: touch Package.swift"
    )
#endif
