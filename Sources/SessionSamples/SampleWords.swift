/// The words of sample texts. A change to any list changes every sample, so add new lists instead.
enum SampleWords {
    /// The words of one script, and the separator between them.
    struct Script {
        var words: [String]
        var separator = " "
    }

    /// The scripts of titles. Half of all titles are Latin.
    static let scripts =
        Array(repeating: Script(words: latin), count: 9) + [
            Script(words: accented), Script(words: accented), Script(words: cyrillic),
            Script(words: cyrillic), Script(words: chinese, separator: ""),
            Script(words: japanese, separator: ""), Script(words: arabic), Script(words: hebrew),
            Script(words: hindi), Script(words: emoji),
        ]

    static let latin = [
        "about", "account", "archive", "article", "autumn", "basket", "battery", "bicycle",
        "bread", "bridge", "calendar", "camera", "city", "climate", "coffee", "compare",
        "cooking", "design", "desk", "device", "editor", "energy", "event", "family", "field",
        "film", "forum", "garden", "guide", "harbour", "health", "history", "home", "house",
        "how", "island", "issue", "journal", "kitchen", "lamp", "language", "letter", "library",
        "light", "list", "market", "map", "memory", "morning", "mountain", "museum", "music",
        "network", "news", "notes", "ocean", "open", "orders", "paper", "photo", "piano",
        "planet", "player", "price", "project", "question", "radio", "railway", "recipe",
        "reference", "release", "report", "review", "river", "school", "science", "search",
        "season", "shop", "small", "song", "station", "story", "street", "summer", "system",
        "table", "theatre", "ticket", "travel", "update", "video", "village", "water", "weather",
        "window", "winter", "work", "world", "yellow",
    ]
    static let accented = [
        "Zürich", "Fußball", "über", "größte", "Käse", "Mädchen", "déjà", "élève", "français",
        "garçon", "hôtel", "naïve", "señor", "mañana", "año", "coração", "São", "ação",
        "smørrebrød",
        "ångström", "žluťoučký", "kůň", "łódź", "źródło", "İstanbul", "çağrı",
    ]
    static let cyrillic = [
        "новости", "погода", "карта", "город", "книга", "музыка", "поиск", "почта", "история",
        "рецепт", "Україна", "їжак", "дорога", "обзор", "школа", "видео",
    ]
    static let chinese = [
        "新闻", "天气", "地图", "音乐", "历史", "图书馆", "学习", "旅行", "视频", "搜索", "你好", "世界", "城市", "价格",
    ]
    static let japanese = [
        "ニュース", "天気予報", "地図", "レシピ", "音楽", "東京", "カメラ", "歴史", "旅行", "を", "の", "について", "検索", "動画",
    ]
    static let arabic = [
        "أخبار", "الطقس", "خريطة", "كتاب", "مدينة", "موسيقى", "تاريخ", "بحث", "مدرسة", "سفر",
    ]
    static let hebrew = [
        "חדשות", "מזג", "אוויר", "מפה", "ספר", "עיר", "מוזיקה", "היסטוריה", "חיפוש", "שלום",
    ]
    static let hindi = [
        "समाचार", "मौसम", "नक्शा", "किताब", "शहर", "संगीत", "इतिहास", "खोज", "नमस्ते", "यात्रा",
    ]
    /// Emoji with skin tones, joined families, flags and variation selectors.
    static let emoji = [
        "🎉", "🚀", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "🏳️‍🌈", "☕️", "🧑‍💻", "🌍", "🐙", "1️⃣",
    ]
    static let escaped = [
        "%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8", "caf%C3%A9", "%E5%A4%A9%E6%B0%97", "a%20b",
        "100%25", "index.html",
    ]
    static let queryKeys = [
        "q", "id", "utm_source", "utm_campaign", "session", "page", "ref", "token", "lang", "sort",
    ]
}
