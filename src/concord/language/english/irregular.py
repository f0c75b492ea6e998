"""Irregular English forms: nouns, verbs, adjectives and adverbs that no rule inflects."""

from concord.language import word_set


def _rows(text: str) -> dict[str, tuple[str, ...]]:
    rows = (entry.split() for entry in text.replace("\n", ",").split(",") if entry.strip())
    return {lemma: tuple(forms) for lemma, *forms in rows}


# Verb, past, participle; the participle is left out where it is like the past.
VERBS = _rows("""
    be was been, have had, do did done, go went gone, say said, make made, get got, know knew known
    think thought, take took taken, see saw seen, come came come, find found, give gave given, tell told
    become became become, leave left, feel felt, put put, bring brought, begin began begun, keep kept, hold held
    write wrote written, stand stood, hear heard, let let, mean meant, set set, meet met, run ran run, pay paid
    sit sat, speak spoke spoken, lie lay lain, lead led, read read, grow grew grown, lose lost, fall fell fallen
    send sent, build built, understand understood, draw drew drawn, break broke broken, spend spent, cut cut
    rise rose risen, drive drove driven, buy bought, wear wore worn, choose chose chosen, seek sought
    throw threw thrown, catch caught, deal dealt, win won, forget forgot forgotten, lay laid, sell sold
    fight fought, teach taught, eat ate eaten
    sing sang sung, strike struck, hang hung, shake shook shaken, ride rode ridden, feed fed
    shoot shot, drink drank drunk, hit hit, arise arose arisen, fly flew flown, spread spread, sleep slept
    cost cost, beat beat beaten, light lit, bind bound, cast cast, hide hid hidden, swing swung, rid rid
    steal stole stolen, swear swore sworn, tear tore torn, blow blew blown, sweep swept, bend bent, bite bit bitten
    bleed bled, breed bred, burst burst, cling clung, creep crept, dig dug, flee fled, fling flung
    forbid forbade forbidden, forecast forecast, foresee foresaw foreseen, forgive forgave forgiven
    forsake forsook forsaken, freeze froze frozen, grind ground, hurt hurt, kneel knelt, lend lent
    mislead misled, mistake mistook mistaken, misunderstand misunderstood, outdo outdid outdone
    overcome overcame overcome, overhear overheard, override overrode overridden, oversee oversaw overseen
    oversleep overslept, overtake overtook overtaken, overthrow overthrew overthrown, partake partook partaken
    prove proved proven, quit quit, rebuild rebuilt, redo redid redone, remake remade, repay repaid, reset reset
    rethink rethought, rewrite rewrote rewritten, ring rang rung, sew sewed sewn, shed shed
    show showed shown, shrink shrank shrunk, shut shut, sink sank sunk, slay slew slain, slide slid, sling slung
    slit slit, sow sowed sown, spin spun, split split, spring sprang sprung, stick stuck, sting stung
    stink stank stunk, stride strode stridden, string strung, strive strove striven, swell swelled swollen
    swim swam swum, thrust thrust, tread trod trodden, undergo underwent undergone, undertake undertook undertaken
    undo undid undone, uphold upheld, upset upset, wake woke woken, awake awoke awoken, weave wove woven, weep wept
    wind wound, withdraw withdrew withdrawn, withhold withheld, withstand withstood, wring wrung, bet bet, bid bid
    broadcast broadcast, inset inset, offset offset, undercut undercut, foretell foretold, outgrow outgrew outgrown
    unwind unwound, rerun reran rerun, retell retold, resell resold, behold beheld, bear bore borne
    sublet sublet, input input, resend resent, mow mowed mown, saw sawed sawn
""")

NOUNS = _rows("""
    man men, woman women, child children, foot feet, tooth teeth, goose geese, mouse mice, louse lice, ox oxen
    person people, penny pence, die dice, brother brothers, knife knives, wife wives, life lives, half halves
    leaf leaves, loaf loaves, shelf shelves, self selves, elf elves, wolf wolves, calf calves, thief thieves
    scarf scarves, hoof hooves, wharf wharves, sheaf sheaves, potato potatoes, tomato tomatoes, hero heroes
    echo echoes, veto vetoes, torpedo torpedoes, embargo embargoes, domino dominoes, mosquito mosquitoes
    tornado tornadoes, volcano volcanoes, cargo cargoes, mango mangoes, buffalo buffaloes
    sheep sheep, deer deer, fish fish, series series, species species, means means, aircraft aircraft
    spacecraft spacecraft, hovercraft hovercraft, salmon salmon, trout trout, cod cod, swine swine, offspring offspring
    headquarters headquarters, crossroads crossroads, barracks barracks
    crisis crises, analysis analyses, basis bases, thesis theses, hypothesis hypotheses, diagnosis diagnoses
    oasis oases, synthesis syntheses, parenthesis parentheses, emphasis emphases, axis axes, ellipsis ellipses
    neurosis neuroses, psychosis psychoses, metamorphosis metamorphoses, prognosis prognoses, synopsis synopses
    criterion criteria, phenomenon phenomena, bacterium bacteria, medium media, curriculum curricula
    memorandum memoranda, datum data, stratum strata, erratum errata, ovum ova, stimulus stimuli, nucleus nuclei
    cactus cacti, fungus fungi, alumnus alumni, radius radii, bacillus bacilli, locus loci, syllabus syllabi
    appendix appendices, matrix matrices, vertex vertices, index indices, codex codices, larva larvae, alga algae
    vertebra vertebrae, alumna alumnae, antenna antennae, formula formulae, nebula nebulae, plateau plateaux
    chateau chateaux, bureau bureaux, quiz quizzes, bus buses, gas gases, lens lenses, staff staff
""")

# Adjective or adverb, comparative, superlative.
DEGREES = _rows("""
    good better best, well better best, bad worse worst, badly worse worst, ill worse worst, far further furthest
    little less least, much more most, many more most, fun _ _, real _ _, right _ _, wrong _ _
""")

# Polysyllabic verbs stressed on their last syllable double its consonant.
DOUBLING = word_set("""
    abet abhor acquit admit allot annul appal befit begin commit compel concur confer control corral debar defer
    demur deter dispel distil emit enrol equip excel expel extol forbid forget format fulfil impel incur infer
    input instil intermit inter kidnap kit label level marvel model occur offset omit outfit outrun panel patrol
    permit prefer program propel quarrel rebel rebut recap recur refer regret remit repel rerun reset signal submit
    sublet transfer transmit transship travel unplug unzip upset worship cancel channel counsel fuel
""")
