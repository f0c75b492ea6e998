"""Tables of the words for numbers and months in several languages."""

from dataclasses import dataclass

from concord.language.numbers import english


@dataclass(frozen=True, slots=True)
class Spelling:
    """The number words of a language; a slash separates spellings of one value.

    `small` counts from 0, `tens` from 30. A `hundred` multiplies the number before it, `hundreds` are single words.
    `compound` says how tens and units make one word: "units first" with a word of `joining` between, or "tens first".
    `whole` is false if not all inflected forms are listed, so that a number may be there without being read.
    """

    small: str
    tens: str
    hundred: str
    scales: str
    joining: str
    months: str
    hundreds: str = ""
    more: str = ""
    compound: str = ""
    whole: bool = True


SPELLINGS = {
    "ca": Spelling(
        "zero un/una/u dos/dues tres quatre cinc sis set vuit nou deu onze dotze tretze catorze quinze setze disset"
        " divuit dinou vint",
        "trenta quaranta cinquanta seixanta setanta vuitanta noranta",
        "cent/cents/centes", "mil milió/milions", "i",
        "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
        more="dotzena=12 parell=2 ambdós=2 ambdues=2 quinzena=15 desena=10 centenar=100 miler=1000",
    ),
    "da": Spelling(
        "nul en/et/én/ét to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten"
        " nitten tyve",
        "tredive fyrre halvtreds tres halvfjerds firs halvfems",
        "hundrede/hundred", "tusind/tusinde million/millioner", "og",
        "januar februar marts april maj juni juli august september oktober november december",
        more="dusin=12 par=2 begge=2", compound="units first",
    ),
    "de": Spelling(
        "null ein/eins/eine/einen/einem/einer/eines zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf"
        " dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
        "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
        "hundert", "tausend million/millionen", "und",
        "januar/jänner februar/feber märz april mai juni juli august september oktober november dezember",
        more="dutzend=12 beide=2 beiden=2 paar=2", compound="units first",
    ),
    "eo": Spelling(
        "nul unu du tri kvar kvin ses sep ok naŭ dek dekunu dekdu dektri dekkvar dekkvin dekses deksep dekok deknaŭ"
        " dudek",
        "tridek kvardek kvindek sesdek sepdek okdek naŭdek",
        "cent", "mil miliono/milionoj", "kaj",
        "januaro februaro marto aprilo majo junio julio aŭgusto septembro oktobro novembro decembro",
        more="dekduo=12 ambaŭ=2 paro=2", compound="tens first",
    ),
    "es": Spelling(
        "cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
        " diecisiete dieciocho diecinueve veinte veintiuno/veintiún/veintiuna veintidós veintitrés veinticuatro"
        " veinticinco veintiséis veintisiete veintiocho veintinueve",
        "treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "", "mil millón/millones", "y",
        "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
        hundreds="cien/ciento/cientos doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas"
        " quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas"
        " novecientos/novecientas",
        more="docena=12 docenas=12 par=2 ambos=2 ambas=2 quincena=15 decena=10 centenar=100 millar=1000",
    ),
    "fr": Spelling(
        "zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept"
        " dixhuit dixneuf vingt/vingts",
        "trente quarante cinquante soixante septante huitante/octante nonante",
        "cent/cents", "mille million/millions", "et",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        more="douzaine=12 dizaine=10 quinzaine=15 vingtaine=20 trentaine=30 centaine=100 millier=1000 paire=2",
    ),
    "gl": Spelling(
        "cero un/unha dous/dúas tres catro cinco seis sete oito nove dez once doce trece catorce quince dezaseis"
        " dezasete dezaoito dezanove vinte",
        "trinta corenta cincuenta sesenta setenta oitenta noventa",
        "", "mil millón/millóns", "e",
        "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
        hundreds="cen/cento/centos douscentos/duascentas trescentos/trescentas catrocentos/catrocentas"
        " cincocentos/cincocentas/quiñentos/quiñentas seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas"
        " novecentos/novecentas",
        more="ducia=12 par=2 ambos=2 ambas=2",
    ),
    "it": Spelling(
        "zero un/uno/una due tre/tré quattro cinque sei sette otto nove dieci undici dodici tredici quattordici"
        " quindici sedici diciassette diciotto diciannove venti",
        "trenta quaranta cinquanta sessanta settanta ottanta novanta",
        "cento", "mille/mila milione/milioni", "e",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        more="dozzina=12 paio=2 entrambi=2 entrambe=2 decina=10 ventina=20 trentina=30 centinaio=100 migliaio=1000",
        compound="tens first",
    ),
    "nb": Spelling(
        "null en/ett/ei/én to tre fire fem seks sju/syv åtte ni ti elleve tolv tretten fjorten femten seksten sytten"
        " atten nitten tjue/tyve",
        "tretti/tredve førti/førr femti seksti sytti åtti nitti",
        "hundre", "tusen million/millioner", "og",
        "januar februar mars april mai juni juli august september oktober november desember",
        more="dusin=12 par=2 begge=2", compound="tens first",
    ),
    "nl": Spelling(
        "nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien"
        " zeventien achttien negentien twintig",
        "dertig veertig vijftig zestig zeventig tachtig negentig",
        "honderd", "duizend miljoen/miljoenen", "en ën",
        "januari februari maart april mei juni juli augustus september oktober november december",
        more="dozijn=12 beide=2 paar=2", compound="units first",
    ),
    "pt": Spelling(
        "zero um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze"
        " dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte",
        "trinta quarenta cinquenta sessenta setenta oitenta noventa",
        "", "mil milhão/milhões", "e",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        hundreds="cem/cento/centos duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas"
        " quinhentos/quinhentas seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas"
        " novecentos/novecentas",
        more="dúzia=12 par=2 ambos=2 ambas=2 dezena=10 quinzena=15 centena=100 milhar=1000",
    ),
    "ru": Spelling(
        "ноль/нуль один/одна/одно/одну/одного/одной два/две/двух/двум три/трёх/трех четыре/четырёх/четырех пять/пяти"
        " шесть/шести семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать/одиннадцати двенадцать/двенадцати"
        " тринадцать/тринадцати четырнадцать/четырнадцати пятнадцать/пятнадцати шестнадцать/шестнадцати"
        " семнадцать/семнадцати восемнадцать/восемнадцати девятнадцать/девятнадцати двадцать/двадцати",
        "тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти семьдесят/семидесяти"
        " восемьдесят/восьмидесяти девяносто/девяноста",
        "", "тысяча/тысячи/тысяч/тысячу миллион/миллиона/миллионов", "",
        "январь/января/январе февраль/февраля/феврале март/марта/марте апрель/апреля/апреле май/мая/мае"
        " июнь/июня/июне июль/июля/июле август/августа/августе сентябрь/сентября/сентябре октябрь/октября/октябре"
        " ноябрь/ноября/ноябре декабрь/декабря/декабре",
        hundreds="сто/ста двести/двухсот триста/трёхсот/трехсот четыреста/четырёхсот/четырехсот пятьсот/пятисот"
        " шестьсот/шестисот семьсот/семисот восемьсот/восьмисот девятьсот/девятисот",
        more="двое=2 оба=2 обе=2 пара=2 трое=3 четверо=4 дюжина=12 сотня=100", whole=False,
    ),
    "sv": Spelling(
        "noll en/ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton"
        " nitton tjugo",
        "trettio fyrtio femtio sextio sjuttio åttio nittio",
        "hundra", "tusen miljon/miljoner", "och",
        "januari februari mars april maj juni juli augusti september oktober november december",
        more="dussin=12 par=2 båda=2", compound="tens first",
    ),
}  # fmt: skip

MONTHS = {
    "en": " ".join(english.MONTHS).replace("september", "september/sept"),
    "cs": "leden/ledna únor/února březen/března duben/dubna květen/května červen/června červenec/července srpen/srpna"
    " září říjen/října listopad/listopadu prosinec/prosince",
    "pl": "styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca"
    " sierpień/sierpnia wrzesień/września październik/października listopad/listopada grudzień/grudnia",
    "uk": "січень/січня лютий/лютого березень/березня квітень/квітня травень/травня червень/червня липень/липня"
    " серпень/серпня вересень/вересня жовтень/жовтня листопад/листопада грудень/грудня",
}
"""Months of languages that have no `Spelling`."""

AND = {
    "ca": "i", "cs": "a", "da": "og", "de": "und", "en": "and", "eo": "kaj", "es": "y e", "eu": "eta", "fi": "ja",
    "fr": "et", "gl": "e", "hr": "i", "hu": "és", "id": "dan", "it": "e ed", "nb": "og", "nl": "en", "nn": "og",
    "pl": "i oraz", "pt": "e", "ro": "și şi", "ru": "и", "sk": "a", "sl": "in", "sv": "och", "tr": "ve",
    "uk": "і й та", "vi": "và",
}  # fmt: skip
AND_SIGNS = {"zh": "和与與及", "ja": "とや・", "ko": "와과"}
"""The words for "and" of languages that are searched by character."""

_HALVES = (
    "half medio media medios medias mig mitja demi demie mezzo mezza meio meia halb halbe halben halbes halber halve"
    " halv halvt halvannen полтора полторы половиной половина duono duona"
)
HALVES = frozenset(_HALVES.split())
