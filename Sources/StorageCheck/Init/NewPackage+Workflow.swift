/// Continuous integration of the new package.
extension NewPackage {
    var workflow: String {
        """
        # For GitHub, and for systems that read its files. Elsewhere, run `make check` with Swift 6.3 or newer.
        # The image has everything that is needed. A backend with IncognitoEncryption, or with an engine in
        # C, first installs the headers of its libraries: apt-get update && apt-get install -y …
        name: conformance
        on: [push, pull_request]
        jobs:
          check:
            runs-on: ubuntu-latest
            container: swift:6.3
            steps:
              - uses: actions/checkout@v4
        \(cloning)      - run: swift run \(names.program) --output conformance.xml
              - if: always()
                uses: actions/upload-artifact@v4
                with:
                  name: conformance
                  path: conformance.xml

        """
    }

    /// The step that clones to the manifest's path, which the integration's machine also needs.
    private var cloning: String {
        guard let path = dependency.clonePath else { return "" }
        let quoted = "'\(path.replacing("'", with: "'\\\\''"))'"
        let known = dependency.cloneURL.map { " || '\($0)'" } ?? ""
        return """
                  # Package.swift names the path of Browser Sessions. This step clones it there, from the URL
                  # in the repository's variable BROWSER_SESSIONS_URL. It is not needed with a URL in Package.swift.
                  - name: Browser Sessions
                    env:
                      URL: ${{ vars.BROWSER_SESSIONS_URL\(known) }}
                    run: |
                      if [ -e \(quoted)/Package.swift ]; then exit 0; fi
                      if [ -z "$URL" ]; then
                        echo "set the repository's variable BROWSER_SESSIONS_URL to where it can be cloned"
                        exit 1
                      fi
                      git clone --depth 1 "$URL" \(quoted)

            """
    }
}
