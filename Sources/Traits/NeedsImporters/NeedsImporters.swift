#if !Importers
    #error("SessionInterop needs .package(url: …, traits: [\"Importers\"]) of browser-sessions")
#endif
