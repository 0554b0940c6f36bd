/// The style of the page on wide and narrow screens, light, dark, and on paper.
///
/// The colors are those of Okabe and Ito, which people with any kind of color vision can
/// distinguish. They are lighter on a dark background. The text must not contain `&` or `<`,
/// because the page is well-formed XML.
enum HTMLStyle {
    static let sheet = """
        :root { --paper: #ffffff; --ink: #1b1b1b; --faint: #5c5c5c; --grid: #dcdcdc;
          --c0: #0072b2; --c1: #d55e00; --c2: #00795a; --c3: #aa4a80; --c4: #8f6500;
          --c5: #333333; --c6: #2a86b8; --c7: #7a5bb5; --wrong: #a8002f; --warn: #fff2cc; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #16181c; --ink: #ececec; --faint: #a9adb5; --grid: #3a3f47;
            --c0: #6cb8f0; --c1: #ff8f4d; --c2: #2fc79b; --c3: #ec9fca; --c4: #f0c63c;
            --c5: #e2e2e2; --c6: #56b4e9; --c7: #c3aef2; --wrong: #ff7d95; --warn: #4a3d10; }
        }
        \(layout)
        \(drawing)
        \(printed)
        """

    private static let layout = """
        * { box-sizing: border-box; }
        html { background: var(--paper); color: var(--ink);
          font: 16px/1.45 system-ui, "DejaVu Sans", sans-serif; -webkit-text-size-adjust: 100%; }
        body { margin: 0; }
        main { max-width: 74rem; margin: 0 auto; padding: 1rem; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin: 2rem 0 0.5rem; }
        h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }
        a { color: var(--c0); }
        li, td, th, p { overflow-wrap: anywhere; }
        .warning { background: var(--warn); padding: 0.6rem 0.8rem; font-weight: 600;
          border-left: 0.3rem solid var(--wrong); }
        .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; padding: 0;
          list-style: none; }
        .sample { margin-right: 0.45em; vertical-align: middle; flex: none; }
        .plots { display: grid; gap: 0.8rem 1.2rem;
          grid-template-columns: minmax(0, 1fr); }
        @media (min-width: 44rem) { .plots { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
        figure { margin: 0; max-width: 34rem; }
        figcaption { font-size: 0.85rem; color: var(--faint); margin-bottom: 0.2rem; }
        .scroll { overflow-x: auto; margin-top: 0.5rem; }
        table { border-collapse: collapse; font-size: 0.75rem;
          font-variant-numeric: tabular-nums; }
        th, td { border-bottom: 1px solid var(--grid); padding: 0.2rem 0.3rem;
          text-align: right; }
        .scroll th, .scroll td { white-space: nowrap; }
        .scroll th[scope="row"], .scroll th:nth-child(2), .environment th, .environment td, td.wrong { text-align: left; }
        th { font-weight: 600; } thead th { color: var(--faint); }
        .environment th { white-space: nowrap; vertical-align: top; }
        .wrong { color: var(--wrong); }
        """

    private static let drawing = """
        svg { display: block; width: 100%; height: auto; }
        .sample { display: inline-block; width: 36px; height: 14px; }
        svg text { font: 11px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
        svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
        svg .name { fill: var(--faint); }
        .axis { fill: none; stroke: var(--faint); } .grid { fill: none; stroke: var(--grid); }
        .one { fill: none; stroke: var(--ink); stroke-width: 1.5; }
        .line { fill: none; stroke: var(--own); stroke-width: 1.8; stroke-linejoin: round; }
        .whisker { fill: none; stroke: var(--own); stroke-width: 1; opacity: 0.8; }
        .over { stroke: var(--ink); stroke-width: 1.3; opacity: 1; }
        .fill { fill: var(--own); } .bar { fill: var(--own); } .faint { fill-opacity: 0.5; }
        .hollow { fill: var(--paper); stroke: var(--own); stroke-width: 1.6; }
        .c0 { --own: var(--c0); } .c1 { --own: var(--c1); } .c2 { --own: var(--c2); }
        .c3 { --own: var(--c3); } .c4 { --own: var(--c4); } .c5 { --own: var(--c5); }
        .c6 { --own: var(--c6); } .c7 { --own: var(--c7); }
        """

    private static let printed = """
        @media print {
          :root { --paper: #ffffff; --ink: #000000; --faint: #444444; --grid: #cccccc;
            --c0: #0072b2; --c1: #d55e00; --c2: #00795a; --c3: #aa4a80; --c4: #8f6500;
            --c5: #333333; --c6: #2a86b8; --c7: #7a5bb5; --wrong: #a8002f; --warn: #ffffff; }
          html { font-size: 12px; } main { max-width: none; padding: 0; }
          .plots { grid-template-columns: repeat(2, 1fr); }
          .scroll { overflow: visible; } .scroll table { font-size: 0.62rem; }
          .scroll th, .scroll td { padding: 0.1rem 0.3rem; }
          figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
          .plots { break-inside: avoid; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """
}
