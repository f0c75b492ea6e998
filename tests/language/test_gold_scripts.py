"""Gold cases over nine languages and eight scripts, as a reader of each would have them."""

from __future__ import annotations

import pytest

from concord.language.comparison_units import units
from concord.language.literals.find import literals
from concord.language.numbers.digits import folded
from concord.language.numbers.spelled import spelt
from concord.language.phrases import alone
from concord.language.scripts import script
from concord.language.sentences import sentences
from concord.language.tokens import tokens
from concord.language.trees import Tree
from concord.model import Text
from concord.relations.literals import compare
from concord.views.highlight import diff

SENTENCES = [
    ("zh", "他来了。她走了。", ["他来了。", "她走了。"]),
    ("zh", "“你好！”他说。真的吗？！", ["“你好！”他说。", "真的吗？！"]),
    ("zh", "他问：“去哪儿？”她没回答。", ["他问：“去哪儿？”", "她没回答。"]),
    ("zh", "价格是3.5元。很便宜。", ["价格是3.5元。", "很便宜。"]),
    ("zh", "他说：「不行。」然后走了。", ["他说：「不行。」", "然后走了。"]),
    ("zh", "等等……他还没来。好吧……", ["等等……他还没来。", "好吧……"]),
    ("zh", "我用iPhone 15。It works. 很好。", ["我用iPhone 15。", "It works.", "很好。"]),
    ("zh", "（他走了。）我留下。", ["（他走了。）", "我留下。"]),
    ("ja", "今日は晴れです。明日は雨でしょう。", ["今日は晴れです。", "明日は雨でしょう。"]),
    ("ja", "「行く。」と言った。はい！", ["「行く。」と言った。", "はい！"]),
    ("ja", "モーニング娘。のライブに行った。", ["モーニング娘。", "のライブに行った。"]),
    ("ja", "えっ！？本当？うん。", ["えっ！？", "本当？", "うん。"]),
    ("ja", "ﾃｽﾄです｡次です｡", ["ﾃｽﾄです｡", "次です｡"]),
    ("ko", "그는 왔다. 그녀는 갔다.", ["그는 왔다.", "그녀는 갔다."]),
    ("ko", "“어디 가?” 그가 물었다. 몰라!", ["“어디 가?” 그가 물었다.", "몰라!"]),
    ("ko", "가격은 3.5달러다. 싸다.", ["가격은 3.5달러다.", "싸다."]),
    ("ar", "وصل القطار. ثم غادر.", ["وصل القطار.", "ثم غادر."]),
    ("ar", "هل جاء؟ نعم! لقد جاء.", ["هل جاء؟", "نعم!", "لقد جاء."]),
    ("ar", "السعر ٣٫٥ دولار. هذا رخيص.", ["السعر ٣٫٥ دولار.", "هذا رخيص."]),
    ("ar", "قال: «تعال.» ثم ذهب.", ["قال: «تعال.»", "ثم ذهب."]),
    ("hi", "वह आया। वह गई।", ["वह आया।", "वह गई।"]),
    ("hi", "क्या वह आया? हाँ! वह आया।", ["क्या वह आया?", "हाँ!", "वह आया।"]),
    ("hi", "श्लोक समाप्त॥ अगला शुरू।", ["श्लोक समाप्त॥", "अगला शुरू।"]),
    ("hi", "डॉ. शर्मा आए। वे बैठे।", ["डॉ. शर्मा आए।", "वे बैठे।"]),
    ("th", "เขามา\n\nเธอไป", ["เขามา", "เธอไป"]),
    ("th", "เขามาเวลา 10.30 น. แล้วกลับ", ["เขามาเวลา 10.30 น. แล้วกลับ"]),
    ("ru", "Он пришёл. Она ушла.", ["Он пришёл.", "Она ушла."]),
    ("ru", "Это было в 1999 г. в Москве. Потом он уехал.", ["Это было в 1999 г. в Москве.", "Потом он уехал."]),
    ("ru", "«Где ты?» — спросил он. Тишина.", ["«Где ты?» — спросил он.", "Тишина."]),
    ("ru", "Ему дали 5 тыс. руб. Он доволен.", ["Ему дали 5 тыс. руб.", "Он доволен."]),
    ("ru", "Живёт на ул. Пушкина, д. 5. Там тихо.", ["Живёт на ул. Пушкина, д. 5.", "Там тихо."]),
    ("de", "Er kam am 3. Oktober. Sie blieb.", ["Er kam am 3. Oktober.", "Sie blieb."]),
    ("de", "„Komm!“, rief er. Sie kam z. B. nicht.", ["„Komm!“, rief er.", "Sie kam z. B. nicht."]),
    ("de", "Das kostet ca. 5 Euro. Es ist billig.", ["Das kostet ca. 5 Euro.", "Es ist billig."]),
    ("tr", "O geldi. İstanbul'a gitti.", ["O geldi.", "İstanbul'a gitti."]),
    ("tr", "Dr. Yılmaz geldi. Prof. Kaya gitti.", ["Dr. Yılmaz geldi.", "Prof. Kaya gitti."]),
    ("tr", "Bu 2. kat. Ev güzel.", ["Bu 2. kat.", "Ev güzel."]),
    ("tr", "T.C. Merkez Bankası açıkladı. Faiz düştü.", ["T.C. Merkez Bankası açıkladı.", "Faiz düştü."]),
]


@pytest.mark.parametrize(("lang", "words", "expected"), SENTENCES)
def test_sentences(lang, words, expected):
    assert [each.words for each in sentences(Text(words, lang))] == expected


SAME_NUMBERS = [
    ("zh", "一百二十人来了。", "en", "120 people came."),
    ("zh", "他花了三万五千元。", "en", "He spent 35,000 yuan."),
    ("zh", "二〇二六年", "en", "the year 2026"),
    ("zh", "共有１２０人。", "en", "There are 120 people."),
    ("zh", "人口1.4亿。", "en", "The population is 140 million."),
    ("zh", "增长了百分之五。", "en", "It grew by 5%."),
    ("zh", "两千人", "en", "2,000 people"),
    ("zh", "一千零五十元", "en", "1,050 yuan"),
    ("ja", "百二十人が来た。", "en", "120 people came."),
    ("ja", "３５０円です。", "en", "It is 350 yen."),
    ("ja", "1万2千人", "en", "12,000 people"),
    ("ja", "５月３日", "en", "May 3"),
    ("ko", "120명이 왔다.", "en", "120 people came."),
    ("ko", "3만 5천 원", "en", "35,000 won"),
    ("ko", "5억 명", "en", "500 million people"),
    ("ar", "جاء ١٢٠ شخصا.", "en", "120 people came."),
    ("ar", "السعر ٣٫٥ دولار.", "en", "The price is 3.5 dollars."),
    ("ar", "عدد السكان ١٬٢٣٤٬٥٦٧", "en", "The population is 1,234,567"),
    ("ar", "نسبة ٥٠٪", "en", "a rate of 50%"),
    ("hi", "१२० लोग आए।", "en", "120 people came."),
    ("hi", "१,२३,४५६ रुपये", "en", "123,456 rupees"),
    ("hi", "मूल्य ३.५ है।", "en", "The price is 3.5."),
    ("hi", "५ लाख लोग", "en", "500,000 people"),
    ("hi", "२ करोड़ रुपये", "en", "20 million rupees"),
    ("th", "มี ๑๒๐ คน", "en", "There are 120 people"),
    ("th", "ราคา ๓.๕ บาท", "en", "The price is 3.5 baht"),
    ("ru", "Пришло 1 234,5 рубля.", "en", "1,234.5 roubles came."),
    ("ru", "Население 5 млн человек.", "en", "The population is 5 million."),
    ("ru", "сто двадцать человек", "en", "120 people"),
    ("de", "Es kostet 1.234,50 Euro.", "en", "It costs 1,234.50 euros."),
    ("de", "hundertzwanzig Menschen", "en", "120 people"),
    ("de", "Es sind 5 Mio. Menschen.", "en", "There are 5 million people."),
    ("tr", "1.234,5 lira", "en", "1,234.5 lira"),
    ("tr", "yüz yirmi kişi", "en", "120 people"),
    ("tr", "%50 arttı.", "en", "It rose by 50%."),
]
OTHER_NUMBERS = [
    ("zh", "１２０人", "en", "130 people"),
    ("ar", "جاء ١٢٠ شخصا.", "en", "130 people came."),
    ("hi", "१२० लोग आए।", "en", "102 people came."),
    ("th", "มี ๑๒๐ คน", "en", "There are 12 people"),
    ("ja", "３５０円", "en", "530 yen"),
    ("ko", "3만 5천 원", "en", "3,500 won"),
    ("hi", "५ लाख लोग", "en", "50,000 people"),
]


@pytest.mark.parametrize(("source", "words", "target", "output"), SAME_NUMBERS)
def test_the_same_number_in_another_script_is_the_same(source, words, target, output):
    text, answer = Text(words, source), Text(output, target)
    for one, other in ((text, answer), (answer, text)):
        case = compare(one, one, other, other)
        assert not case.flagged, case.evidence


@pytest.mark.parametrize(("source", "words", "target", "output"), OTHER_NUMBERS)
def test_another_number_is_another_in_every_script(source, words, target, output):
    text, answer = Text(words, source), Text(output, target)
    assert compare(text, text, answer, answer).flagged


@pytest.mark.parametrize(
    ("lang", "words", "value"),
    [
        ("zh", "一百二十", 120), ("zh", "一千零五", 1005), ("zh", "三萬五千", 35_000), ("zh", "两亿", 2 * 10**8),
        ("zh", "十二", 12), ("zh", "二十", 20), ("zh", "一万零一", 10_001), ("ja", "千二百", 1200),
        ("de", "einhundertzwanzig", 120), ("de", "zweitausendfünfhundert", 2500), ("ru", "двадцать пять", 25),
        ("tr", "yirmi beş", 25), ("tr", "bin dokuz yüz doksan dokuz", 1999),
    ],
)  # fmt: skip
def test_numbers_in_words(lang, words, value):
    assert value in spelt(Text(words, lang))


@pytest.mark.parametrize(
    ("digits", "plain"), [("１２０", "120"), ("١٢٠", "120"), ("۱۲۰", "120"), ("१२०", "120"), ("๑๒๐", "120")]
)
def test_digits_of_other_scripts_keep_their_places(digits, plain):
    assert folded(f"x{digits}y") == f"x{plain}y"


TOKENS = [
    ("ru", "Он купил 1,5 кг яблок в «Ашане».", "Он|купил|1,5|кг|яблок|в|«|Ашане|»|."),
    ("ru", "кто-нибудь из-за дождя", "кто-нибудь|из-за|дождя"),
    ("de", "Die E-Mail von Dr. Müller: „Ja!“", "Die|E-Mail|von|Dr.|Müller|:|„|Ja|!|“"),
    ("tr", "İstanbul'da 3'üncü kat", "İstanbul'da|3'üncü|kat"),
    ("hi", "वह घर गया।", "वह|घर|गया|।"),
    ("hi", "हिन्दी में १२० लोग", "हिन्दी|में|१२०|लोग"),
    ("ar", "وصل القطار، ثم غادر؟", "وصل|القطار|،|ثم|غادر|؟"),
    ("ar", "كَتَبَ الوَلَدُ", "كَتَبَ|الوَلَدُ"),
    ("th", "ราคา ๑๒๐ บาท", None),
    pytest.param("ko", "그는 iPhone을 샀다.", None, marks=pytest.mark.large),
    ("ja", "iPhoneを２台買った。", None),
    ("zh", "我用iPhone 15和Wi-Fi。", None),
]


@pytest.mark.parametrize(("lang", "words", "expected"), TOKENS)
def test_tokens(lang, words, expected):
    found = tokens(Text(words, lang))
    assert "".join(token.text for token in found) == "".join(words.split())
    assert all(words[token.start : token.end] == token.text for token in found)
    if expected is not None:
        assert "|".join(token.text for token in found) == expected
    assert not any(token.text in ("Phone", "i", "Wi", "Fi") for token in found)


@pytest.mark.parametrize(
    ("lang", "words", "forms"),
    [
        ("zh", "我用iPhone。", ["我", "用", "iphone"]),
        ("ja", "ＡＢＣを買う", ["abc", "を", "買", "う"]),
        ("th", "น้ำใส", None),
        pytest.param("ko", "한국어를 배운다.", None, marks=pytest.mark.large),
        ("hi", "किताब पढ़ो।", ["किताब", "पढ़ो"]),
        ("ar", "قرأ الكتاب.", ["قرأ", "الكتاب"]),
        ("tr", "IŞIK ışık", None),
        ("ru", "Ёлка", ["ёлка"]),
    ],
)
def test_units_of_comparison(lang, words, forms):
    found = units(Text(words, lang))
    assert forms is None or list(found.forms) == forms
    assert all(0 <= start < end <= len(words) for start, end in found.spans)


def leaves(text: str, pieces: list[str]) -> list[Tree]:
    made, place = [], 0
    for piece in pieces:
        start = text.index(piece, place)
        made.append(Tree("X", start, start + len(piece), (), text))
        place = start + len(piece)
    return made


@pytest.mark.parametrize(
    ("text", "pieces", "left"),
    [
        ("“中国菜”", ["“", "中国", "菜", "”"], ["中国", "菜"]),
        ("「日本語」", ["「", "日本", "語", "」"], ["日本", "語"]),
        ("『本』", ["『", "本", "』"], ["本"]),
        ("《红楼梦》，", ["《", "红楼梦", "》", "，"], ["红楼梦"]),
        ("«Война и мир»", ["«", "Война", "и", "мир", "»"], ["Война", "и", "мир"]),
        ("„das Haus“", ["„", "das", "Haus", "“"], ["das", "Haus"]),
        ("（東京）。", ["（", "東京", "）", "。"], ["東京"]),
        ("«الكتاب»؛", ["«", "الكتاب", "»", "؛"], ["الكتاب"]),
        ("घर।", ["घर", "।"], ["घर"]),
        ("「日本", ["「", "日本"], ["日本"]),
    ],
)
def test_a_phrase_stands_without_the_quotes_around_it(text, pieces, left):
    assert [leaf.words for leaf in alone(leaves(text, pieces))] == left


@pytest.mark.parametrize(
    ("lang", "words", "found"),
    [
        ("zh", "共１２０人，占５０％。", ["１２０", "５０"]),
        ("ja", "料金は￥1,200です。", ["1,200"]),
        ("ar", "جاء ١٢٠ في ٢٠٢٦", ["١٢٠", "٢٠٢٦"]),
        ("hi", "१२० में से ५०%", ["१२०", "५०"]),
        ("th", "ราคา ๑๒๐ บาท", ["๑๒๐"]),
        ("ko", "2026년 5월 3일 120명", None),
    ],
)
def test_marks_of_literals_are_where_the_digits_stand(lang, words, found):
    made = literals(Text(words, lang))
    assert all(words[each.start : each.end] == each.text for each in made)
    assert found is None or [each.text for each in made] == found


@pytest.mark.parametrize(
    ("lang", "one", "other", "marked"),
    [
        ("zh", "我喜欢苹果。", "我喜欢香蕉。", ("苹果", "香蕉")),
        ("ja", "私は犬が好きです。", "私は猫が好きです。", ("犬", "猫")),
        pytest.param(
            "ko", "나는 개를 좋아한다.", "나는 고양이를 좋아한다.", ("개를", "고양이를"), marks=pytest.mark.large
        ),
        ("ar", "أحب القطط كثيرا", "أحب الكلاب كثيرا", ("القطط", "الكلاب")),
        ("hi", "मुझे किताब पसंद है", "मुझे फिल्म पसंद है", ("किताब", "फिल्म")),
        ("th", "ฉันชอบแมว", "ฉันชอบหมา", None),
        ("ru", "Я люблю кошек.", "Я люблю собак.", ("кошек", "собак")),
        ("de", "Ich mag Äpfel.", "Ich mag Birnen.", ("Äpfel", "Birnen")),
        ("tr", "Elmayı severim.", "Armudu severim.", ("Elmayı", "Armudu")),
    ],
)
def test_what_differs_is_marked_where_it_stands(lang, one, other, marked):
    pieces = diff(one, other, lang)
    assert tuple("".join(piece.words for piece in side) for side in pieces) == (one, other)
    differing = tuple("".join(piece.words for piece in side if piece.differs) for side in pieces)
    assert differing == marked if marked else all(differing)


@pytest.mark.parametrize(
    ("words", "code"),
    [("ภาษาไทย", "Thai"), ("İstanbul", "Latn"), ("Ärger", "Latn"), ("日本語です", "Hani"), ("ＡＢＣ漢", "Latn")],
)
def test_the_script_of_mixed_words(words, code):
    assert script(words) == code
