/// The letters that are written with accents, strokes, voice marks or another width, by those without.
enum FoldingTable {
    /// Returns the plain letters for a small letter; `nil` if the letter is plain, or not known here.
    static func plain(_ scalar: Unicode.Scalar) -> [UInt8]? { plainLetters[scalar] }

    private static let plainLetters: [Unicode.Scalar: [UInt8]] = {
        var table = ligatures.mapValues { Array($0.utf8) }
        for group in groups.split(separator: " ") {
            let scalars = group.unicodeScalars
            guard let plain = scalars.first else { continue }
            for letter in scalars.dropFirst() { table[letter] = Array(String(plain).utf8) }
        }
        return table
    }()

    private static let ligatures: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "ǣ": "ae", "ǽ": "ae", "œ": "oe", "þ": "th", "ĳ": "ij", "ŀ": "l",
        "ŉ": "n", "ǆ": "dz", "ǳ": "dz", "ǉ": "lj", "ǌ": "nj", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl",
        "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ς": "σ", "ϲ": "σ",
    ]

    /// Each group begins with a plain letter, and its variants follow: those that decompose to it in
    /// Unicode without marks, and those with strokes.
    private static let groups = """
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ cçćĉċčḉ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ iìíîïĩīĭįıǐȉȋḭḯỉị \
        dðďđḋḍḏḑḓ nñńņňǹṅṇṉṋ oòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ \
        uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự yýÿŷȳẏẙỳỵỷỹ gĝğġģǧǵḡ hĥħȟḣḥḧḩḫẖ jĵǰ kķǩḱḳḵ lĺļľłḷḹḻḽ \
        rŕŗřȑȓṙṛṝṟ sśŝşšſșṡṣṥṧṩẛ tţťŧțṫṭṯṱẗ wŵẁẃẅẇẉẘ zźżžẑẓẕ ιΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ \
        αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέϵἐἑἒἓἔἕὲέ ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ \
        υΰϋύϒϓϔὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ οόὀὁὂὃὄὅὸό ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ βϐ θϑ φϕ πϖ κϰ ρϱῤῥ \
        ийѝӣӥ еѐёӗ гѓ ії кќ уўӯӱӳ ѵѷ жӂӝ аӑӓ әӛ зӟ оӧ өӫ эӭ чӵ ыӹ bḃḅḇ fḟ mḿṁṃ pṕṗ vṽṿ xẋẍ \
        かが きぎ くぐ けげ こご さざ しじ すず せぜ そぞ ただ ちぢ つづ てで とど はばぱ ひびぴ ふぶぷ へべぺ ほぼぽ うゔ ゝゞ カガｶ キギｷ クグｸ \
        ケゲｹ コゴｺ サザｻ シジｼ スズｽ セゼｾ ソゾｿ タダﾀ チヂﾁ ツヅﾂ テデﾃ トドﾄ ハバパﾊ ヒビピﾋ フブプﾌ ヘベペﾍ ホボポﾎ ウヴｳ ワヷﾜ ヰヸ \
        ヱヹ ヲヺｦ ヽヾ 。｡ 「｢ 」｣ 、､ ・･ ァｧ ィｨ ゥｩ ェｪ ォｫ ャｬ ュｭ ョｮ ッｯ ーｰ アｱ イｲ エｴ オｵ ナﾅ ニﾆ ヌﾇ ネﾈ ノﾉ マﾏ \
        ミﾐ ムﾑ メﾒ モﾓ ヤﾔ ユﾕ ヨﾖ ラﾗ リﾘ ルﾙ レﾚ ロﾛ ンﾝ
        """
}
