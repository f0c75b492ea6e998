"""Words that serve grammar more than meaning: they are neither replaced nor used as substitutes."""

from concord.language import word_set

# By the first letter of the Penn tag.
LIGHT = {
    "V": word_set("""
        be have do make take get give go come let keep put set seem become appear remain stay need want try begin
        start stop continue help like would use see hear feel look turn mean say tell ask call happen end follow
        include cause allow enable regard concern base relate according depend consist belong wait
    """),
    "N": word_set("""
        lot lots number kind sort type part way time case end place thing bit deal fact piece couple pair amount rest
        majority half quarter third course order turn account regard front back side top bottom middle sake instance
        example addition term favour favor view means none nobody nothing something anything everything someone somebody
        anyone everyone no-one anybody everybody one self mr mrs ms dr basis respect behalf accordance event lack
        plenty dozen hundred thousand million billion percent home today tomorrow yesterday tonight
    """),
    "J": word_set("""
        other same such own first last next many few several much more most less least only main certain various due
        able likely whole entire far near previous following later former latter sure available responsible worth
        further better best worse worst early late different similar as long latest possible necessary second third
    """),
    "R": word_set("""
        not never also too very so just only even still already yet again there here then now ever rather quite
        almost about well more most less least as else away back out up down off on over together instead however
        therefore thus perhaps maybe please ago later soon early once twice when where how why far long no yes enough
        apart ahead further better best worse worst otherwise meanwhile moreover indeed anyway around in by through
        alone right straight since forward forth aside yesterday today tomorrow tonight home overnight earlier late
        longer much little first last next abroad nearly about roughly approximately at above below before after
    """),
}
