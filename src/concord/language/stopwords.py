"""Stop words: the pronouns, articles, prepositions, conjunctions and auxiliaries of ten languages, as tokens."""

from functools import cache

from concord.language.codes import base

_WORDS = {
    "en": """
        i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
        we us our ours ourselves they them their theirs themselves one oneself this that these those who whom whose
        which what a an the some any no every each either neither both all such other another of in on at by for
        with about against between into through during before after above below to from up down out off over under
        within without among across behind beyond towards upon since until despite per via and or but nor so yet if
        because although though while whereas unless than as whether when where why how be am is are was were been
        being have has had having do does did doing done will would shall should can could may might must ought ca
        wo sha n't 's 'm 'd 'll 're 've not there here then too also very only just again""",
    "es": """
        yo me mí conmigo tú te ti contigo usted ustedes él ella ello lo la le se sí consigo nosotros nosotras nos
        vosotros vosotras os ellos ellas los las les mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro
        vuestra vuestros vuestras mío mía suyo suya este esta esto estos estas ese esa eso esos esas aquel aquella
        aquello aquellos aquellas que quien quienes cual cuales cuyo cuya qué quién cuál el un una unos unas al del
        algún alguna algunos algunas ningún ninguna todo toda todos todas otro otra otros otras cada a ante bajo con
        contra de desde durante en entre hacia hasta para por según sin sobre tras y e o u ni pero sino aunque
        porque pues si como cuando donde mientras cómo cuándo dónde ser soy eres es somos son era eras eran fue
        fueron sido siendo sea sean sería será serán estar estoy está están estaba estaban estuvo estado haber he
        has ha hemos han había habían hubo haya hayan habría no ya muy más también así entonces allí aquí""",
    "ca": """
        jo em me mi tu et te vostè vostès ell ella ho el la li es se si nosaltres ens nos vosaltres us vos ells
        elles els les en hi meu meva meus meves teu teva seu seva seus seves nostre nostra nostres vostre vostra
        llur llurs aquest aquesta aquests aquestes això aquell aquella aquells aquelles allò que què qui qual quals
        quin quina un una uns unes l' d' s' m' t' n' al als del dels pel pels algun alguna alguns algunes cap tot
        tota tots totes altre altra altres cada a amb contra de des durant entre fins per sense sobre sota envers
        segons i o ni però sinó encara perquè doncs com quan on mentre ser sóc soc ets és som sou són era eren fou
        foren sigut sigui seria serà serien estar està estan estava estat haver he has ha hem heu han havia havien
        hagi va van vaig vam no ja molt més també""",
    "gl": """
        eu me min comigo ti te che contigo vostede vostedes el ela o a lle se si consigo nós nos vós vos eles elas
        os as lles meu miña meus miñas teu túa seu súa seus súas noso nosa nosos nosas voso vosa este esta isto
        estes estas ese esa iso eses esas aquel aquela aquilo aqueles aquelas que quen cal cales cuxo cuxa un unha
        uns unhas ao á aos ás do da dos das no na nas polo pola polos polas dun dunha nun nunha algún algunha algúns
        algunhas ningún todo toda todos todas outro outra outros outras cada ante baixo con contra de desde durante
        en entre cara até ata para por segundo sen sobre tras e ou nin pero mais senón aínda porque pois como cando
        onde mentres ser son es é somos sodes era eran foi foron sido sexa sexan sería será serán estar está están
        estaba estaban estivo haber hei has ha hai había houbo teño ten teñen tiña non xa moi máis tamén""",
    "pt": """
        eu me mim comigo tu te ti contigo você vocês ele ela o a lhe se si consigo nós nos conosco vós vos eles elas
        os as lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas vosso vossa este esta
        isto estes estas esse essa isso esses essas aquele aquela aquilo aqueles aquelas que quem qual quais cujo
        cuja um uma uns umas ao à aos às do da dos das no na nas pelo pela pelos pelas dum duma num numa algum
        alguma alguns algumas nenhum todo toda todos todas outro outra outros outras cada ante após até com contra
        de desde durante em entre para perante por segundo sem sob sobre trás e ou nem mas porém senão embora porque
        pois como quando onde enquanto ser sou és é somos são era eram foi foram sido seja sejam seria será serão
        estar está estão estava estavam esteve haver há havia houve ter tem têm tinha tinham teve não já muito mais
        também""",
    "fr": """
        je j' me m' moi tu te t' toi il elle on le la l' lui se s' soi nous vous ils elles les leur leurs eux y en
        mon ma mes ton ta tes son sa ses notre nos votre vos ce c' cet cette ces ceci cela ça celui celle ceux
        celles qui que qu' quoi dont où lequel laquelle lesquels lesquelles quel quelle quels quelles un une des du
        au aux d' n' quelque quelques aucun aucune tout toute tous toutes autre autres chaque à avant après avec
        chez contre dans de depuis derrière devant durant entre envers jusque jusqu' malgré par parmi pendant pour
        sans selon sous sur vers et ou ni mais car donc or si comme quand lorsque lorsqu' puisque puisqu' parce
        tandis être suis es est sommes êtes sont étais était étaient fut furent été étant soit soient serait sera
        seront avoir ai as a avons avez ont avait avaient eut eu ayant ait aient aurait aura ne pas plus très aussi""",
    "it": """
        io me mi tu te ti egli lui ella lei esso essa lo la gli le si sé noi ci ce voi vi ve essi esse loro li ne
        mio mia miei mie tuo tua suo sua suoi sue nostro nostra nostri nostre vostro vostra questo questa questi
        queste quello quella quelli quelle quel quei ciò che chi cui quale quali il i l' un uno una un' al allo alla
        ai agli alle all' del dello della dei degli delle dell' dal dallo dalla dai dagli dalle dall' nel nello
        nella nei negli nelle nell' sul sullo sulla sui sugli sulle sull' col qualche alcuni alcune nessuno tutto
        tutta tutti tutte altro altra altri altre ogni a con contro da di d' durante fino fra in per presso secondo
        senza sopra sotto su tra verso e ed o né ma però anche se come quando dove mentre perché poiché c' essere
        sono sei è siamo siete era erano fu furono stato stata stati state sia siano sarebbe sarà saranno avere ho
        hai ha abbiamo avete hanno aveva avevano ebbe abbia avrebbe non più molto già""",
    "de": """
        ich mich mir mein meine meinen meinem meiner du dich dir dein deine er ihn ihm sein seine seinen seinem
        seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere euch euer eure ihnen sich man
        dieser diese dieses diesen diesem jener jene jenes wer wen wem wessen was welcher welche welches der die das
        den dem des dessen deren denen ein eine einen einem einer eines kein keine keinen keinem keiner alle allen
        aller alles jeder jede jedes jeden jedem andere anderen anderer an am auf aus bei beim bis durch für gegen
        hinter in im ins mit nach neben ohne seit über um unter von vom vor während wegen zu zum zur zwischen und
        oder aber sondern denn doch wenn weil dass ob obwohl als wie da damit wo wann warum bin bist ist sind seid
        war waren gewesen sei wäre habe hast hat haben habt hatte hatten gehabt hätte werde wird werden wurde wurden
        worden würde kann können konnte konnten muss müssen musste soll sollen sollte will wollen wollte darf mag
        nicht auch nur noch schon sehr so dann danach dort hier nun daher""",
    "sv": """
        jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes den det dess vi oss vår vårt våra
        ni er ert era de dem deras man sig sin sitt sina denna detta dessa vem vars vad vilken vilket vilka som en
        ett någon något några ingen inget inga all allt alla varje annan annat andra av bakom bland efter framför
        från för före genom hos i inom innan med mellan mot om på sedan till trots under ur utan utanför vid via åt
        över och eller men samt fast att eftersom därför medan när där hur varför än är var varit vara vore har hade
        haft ha blir blev bli blivit kan kunde ska skall skulle vill ville måste bör får fick inte ej också bara så
        mycket mer redan""",
    "ru": """
        я меня мне мной ты тебя тебе тобой он его ему им нём она её ей ею ней оно мы нас нам нами вы вас вам вами
        они их ими них себя себе собой мой моя моё мои твой твоя свой своя своё свои своего своей своих своим наш
        наша наше наши ваш ваша этот эта это эти этого этой этому этих этим тот та то те того той тому тех тем кто
        кого кому кем что чего чему чем который которая которое которые которого которой которых котором чей весь
        вся всё все всех всем другой другие каждый без в во для до за из изо из-за из-под к ко кроме между на над о
        об обо около от ото перед по под при про против ради с со среди у через и или а но да ни если когда где как
        так чтобы потому хотя пока ли бы же быть есть был была было были будет будут буду не нет уже ещё также
        только очень более""",
}


@cache
def stop_words(lang: str) -> frozenset[str]:
    """The function words of a language, in lower case, cut as `tokens` cuts; none for a language without a list."""
    return frozenset(_WORDS.get(base(lang), "").split())


def languages() -> tuple[str, ...]:
    """The languages that have a list."""
    return tuple(_WORDS)
