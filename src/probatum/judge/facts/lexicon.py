"""What words mean to each other in English, as data: forms, kinds of words, what is meant alike, what excludes what.

Small on purpose: only what holds in any text. A word that is missing here is compared by its stem alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FUNCTION: Final = frozenset(
    """a an the of in on at to for from by with as and or but nor so than that which who whom whose this these those it
    its he him his she her hers they them their theirs we us our ours you your yours i me my mine is are was were be been
    being am do does did done doing has have had having will would shall should can could may might must there here what
    when where why how if then also too very into onto out up down off over about again further such own same other
    both each few more most some any no not nor only just s t d ll re ve m o one's while during before after since until
    between among through under above against because however although though yet et al per via upon within without
    himself herself itself themselves still even ever never always already now back away all every another either neither
    well much many lot lots quite rather get gets got getting let lets say says said saying tell tells told st nd rd th ca wo lrb
    rrb lsb rsb mr mrs ms dr""".split()
)
LIGHT: Final = frozenset(
    """make use know call name have take give go come become begin start work play include serve appear see find show put
    keep hold bring set run lead follow live feature base describe consider person people man woman time year day way
    thing part number group member place first last new old good great several various known different certain kind type
    term form old young own main major famous popular known real actual currently originally former later early just
    portray involve relate contain consist locate ask want need try think believe claim report reveal feel say happen
    turn help like look seem back home world life end side case point fact""".split()
)
"""Words that tell little about what a sentence is about."""
EXCLUSIVE: Final = frozenset(
    "only solely exclusively purely entirely never always all every nobody nothing none".split()
)
PRONOUNS: Final = frozenset("he him his she her hers they them their theirs it its".split())

_UNITS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS: Final[Mapping[str, int]] = {
    **{word: number for number, word in enumerate(f"{_UNITS} eighteen nineteen".split(), 1)},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), 2)},
}
ORDINALS: Final[Mapping[str, int]] = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
SCALES: Final[Mapping[str, int]] = {
    **{"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "m": 6, "bn": 9, "k": 3}
}
"""Powers of ten."""
SUFFIXES: Final = tuple(
    (ending, instead)
    for ending, _, instead in (
        pair.partition(">")
        for pair in """ational>ate ization>ize isation>ize fulness>ful iveness>ive ousness>ous ically>ic ation>ate ators>ate
        ator>ate ising>ize ised>ize ise>ize ments ment ness ists>y ist>y ably able ible ities ity ance ence ions ion fully ful
        less>less ings ing edly ed ical>ic ally al ily>y ly ers er ors or ies>y ians ian ans an ese ish ives ive ous ses>s
        xes>x ches>ch shes>sh s""".split()
    )
)
"""Endings of words and what stands in their place in the stem, the longer ones first."""

IRREGULAR: Final[Mapping[str, str]] = {
    form: base
    for base, *forms in (
        line.split()
        for line in """win won|write wrote written|begin began begun|sell sold|buy bought|make made making|take took taken
    |give gave given|go went gone going|come came coming|become became|know knew known|see saw seen|find found|lead led|hold held
    |run ran|keep kept|bring brought|think thought|leave left|lose lost|meet met|pay paid|send sent|build built|fall fell fallen
    |grow grew grown|draw drew drawn|drive drove driven|eat ate eaten|fly flew flown|forget forgot|hide hid hidden|ride rode
    |rise rose risen|sing sang sung|speak spoke spoken|steal stole stolen|swim swam|teach taught|throw threw thrown|wear wore worn
    |catch caught|choose chose chosen|feel felt|fight fought|hear heard|shoot shot|sit sat|sleep slept|spend spent|stand stood
    |strike struck|break broke broken|bear born|child children|man men|woman women|person people|wife wives|life lives|foot feet
    |die died dying dead death|marry marriage married wedding|high height|long length|strong strength|choose choice|lie lay lain
    |seek sought|win winner|bad worse worst|good better best|shrink shrank|slay slain|sink sank sunk|freeze froze frozen
    |bite bit bitten|blow blew blown|deal dealt|dig dug|light lit|mean meant|prove proven|ring rang|shake shook|shine shone
    |spring sprang|swear swore|wake woke|weep wept|bind bound|breed bred|flee fled|lend lent|sweep swept|hang hung|stick stuck
    |understand understood|undergo underwent|withdraw withdrew withdrawn|overcome overcame|arise arose|tear tore torn|mouse mice
    |tooth teeth|goose geese|half halves|leaf leaves|wolf wolves|belief believe|proof prove|loss lose|gift give|growth grow
    |success succeed|flight fly|sale sell|thought think|song sing|payment pay|building build|analysis analyses|young youth
    |produce production producer|destroy destruction|receive reception|perceive perception|decide decision|describe description
    |divide division|invade invasion|explode explosion|expand expansion|conclude conclusion|admit admission|permit permission
    |extend extension|assume assumption|resolve resolution|revolve revolution|maintain maintenance|pronounce pronunciation
    |apply application|poor poverty|rich wealth wealthy|hot heat|free freedom|wise wisdom|king kingdom|bore boredom""".replace(
            "\n", ""
        ).split("|")
    )
    for form in forms
}

ALIKE: Final = tuple(
    tuple(group.split())
    for group in """film movie picture|book novel|band group ensemble|singer vocalist performer|author writer novelist
    |show series programme program|physician doctor|attorney lawyer|child kid son daughter|son boy|daughter girl|father dad parent
    |mother mom mum parent|wife spouse husband|car automobile vehicle|truck lorry|begin start commence|end finish conclude cease
    |buy purchase acquire|large big huge|small little tiny|quick fast rapid swift|release issue publish|create make produce build
    |design invent devise|found establish create form|located situated|kill murder assassinate slay|die death decease perish
    |win victory triumph|defeat beat|receive obtain get earn gain|study research|job occupation profession career|near close
    |happen occur|homeland country nation|country nation state|town city|war conflict battle|prize award honour honor
    |company firm corporation business|illness disease sickness|sick ill|rich wealthy|help aid assist|movie cinema|tv television
    |football soccer|autumn fall|jail prison|cop police officer|sea ocean|forest wood|road street|shop store|money fund cash
    |attempt try|reject refuse decline|choose select pick|require need|allow permit let|show reveal disclose|say state declare
    |star starred|act role part portray play|direct director|compose composer|compose write|script screenplay|song single track
    |album record|music musical|record recording|sports sport athletic|footballer player|player athlete|politician statesman
    |monarch king queen|ruler monarch leader|president leader|boss manager coach|teacher instructor professor|pupil student
    |school college|university college|scholar academic|soldier military army troop|ship boat vessel|aircraft plane airplane
    |airplane aeroplane|gun weapon|injure wound hurt|attack assault|steal rob theft|crash accident collision|fire blaze
    |demolish destroy|repair fix|rise increase grow climb|fall decrease decline drop|number amount|percent percentage|whole entire
    |east eastern|west western|north northern|south southern|british english uk britain england|american us usa america|french france|german germany
    |dutch netherlands holland|spanish spain|greek greece|swiss switzerland|danish denmark dane|polish poland pole|turkish turkey
    |swedish sweden swede|finnish finland|irish ireland|welsh wales|scottish scotland scot|norwegian norway|czech czechoslovakia
    |portuguese portugal|thai thailand|european europe|belgian belgium|filipino philippines|ussr soviet russian russia|wwi first-world-war
    |wedding marry marriage|married wife husband|divorce split separate|pregnant pregnancy|birth born|nickname nicknamed dub
    |name title|title call|known famous renowned|famous celebrity|popular beloved|hate dislike|love like|happy glad|sad unhappy
    |angry furious|afraid scared|smart intelligent|strange odd weird|hard difficult|easy simple|correct right|wrong incorrect
    |true real|fake false|dead deceased|alive living|oversee supervise|previous former|primary main chief principal
    |initial initially originally first|eventual eventually finally|frequent frequently often|rare rarely seldom
    |almost nearly approximately about around|main mainly mostly primarily predominantly|visit tour travel|move relocate|quit resign
    |fire sack dismiss|hire employ recruit appoint|join enlist|leave depart|return back|arrive come|stay remain|live reside
    |inhabitant resident citizen|population inhabitant people|adult grown-up|infant baby|teen teenager adolescent|elderly old
    |woman female lady|man male|sibling brother sister|kid children|couple pair two|dozen twelve|decade ten|century hundred
    |trilogy three|duo two|trio three|quartet four|twice two|double two|triple three|half fifty|once one|single one|zero no
    |comic humorous humor comedy|scary horror|frighten scare|fear afraid|detective investigator|murderer killer|criminal felon
    |religion religious faith|church cathedral|priest clergy|god deity|cook chef|meal dinner|drink beverage|alcohol liquor
    |painter artist|painting picture artwork|sculptor sculpture statue|photo photograph picture image|camera photograph
    |newspaper paper|magazine journal|reporter journalist|interview talk|speak talk|tell inform|announce declare|argue dispute
    |agree consent|deny refuse|accuse allege charge|arrest detain|convict guilty|trial court|judge justice|law legal legislation
    |rule regulation|election vote|elect choose|government administration|minister secretary|tax levy|budget spending
    |economy economic|bank banking|price cost|cheap inexpensive|expensive costly|profit gain|debt loan|trade commerce""".replace(
        "\n", ""
    ).split("|")
)
"""Words that can mean the same; what they mean is not always the same, so that they count less than a word itself."""

_OPPOSITES: Final = """increase decrease|rise fall|grow shrink|gain lose|win lose|win defeat|victory defeat|success failure|succeed fail
    |accept reject|accept refuse|accept decline|admit deny|confirm deny|approve reject|allow forbid|allow ban|permit prohibit
    |begin end|start end|start finish|start stop|open close|enter leave|enter exit|arrive depart|arrive leave|join leave|buy sell
    |lend borrow|give take|send receive|push pull|raise lower|build destroy|create destroy|found abolish|love hate|like hate
    |like dislike|praise criticize|praise criticise|support oppose|support criticize|favor oppose|agree disagree|attack defend
    |hire fire|arrest release|convict acquit|guilty innocent|alive dead|live die|born die|birth death|marry divorce|unite divide
    |connect separate|large small|big small|big little|high low|long short|tall short|wide narrow|thick thin|deep shallow|fast slow
    |quick slow|rapid slow|strong weak|hard soft|hard easy|difficult easy|heavy light|hot cold|warm cool|wet dry|rich poor
    |old young|old new|ancient modern|early late|earlier later|first last|before after|above below|over under|inside outside
    |internal external|public private|male female|man woman|boy girl|father mother|son daughter|brother sister|husband wife
    |king queen|uncle aunt|good bad|good evil|best worst|better worse|positive negative|right wrong|true false
    |correct incorrect|real fake|real fictional|fiction nonfiction|same different|similar different|common rare|frequent rare
    |often rarely|often never|always never|all none|all some|every some|none some|everything nothing|everyone nobody|many few|more less|more fewer
    |maximum minimum|highest lowest|largest smallest|biggest smallest|oldest youngest|oldest newest|longest shortest
    |tallest shortest|fastest slowest|majority minority|single married|safe dangerous|legal illegal|possible impossible
    |active inactive|happy sad|happy unhappy|friend enemy|ally enemy|hero villain|peace war|rural urban|north south|east west
    |northern southern|eastern western|left right|top bottom|front back|upper lower|day night|morning evening|summer winter
    |military civilian|amateur professional|acoustic electric|popular unpopular|famous unknown|successful unsuccessful
    |comedy tragedy|prequel sequel|predecessor successor|succeed precede
    |predator prey|conservative liberal|republican democrat|democratic republican|capitalist communist
    |vowel consonant|liquid solid|natural artificial|vegetarian carnivore|odd even|full empty|full partial|permanent temporary
    |local foreign|domestic foreign|import export|credit debit|asset liability|profit loss|income expense|cheap expensive
    |beautiful ugly|clean dirty|simple complex|remember forget|hide show|hide reveal|save spend|advance retreat
    |survive die|survive perish|avoid cause|prevent cause|encourage discourage|include exclude|appear disappear|attract repel
    |solo group|alone together|fail pass|lack have|absent present|deny acknowledge|worsen improve|harm benefit|healthy sick
    |upgrade downgrade|upward downward|forward backward|best-selling worst-selling|major minor|senior junior|sober drunk
    |awake asleep|calm angry|brave cowardly|generous greedy|honest dishonest|loyal disloyal|calm nervous|relieve worry"""
OPPOSITES: Final = frozenset(frozenset(pair.split()) for pair in _OPPOSITES.replace("\n", "").split("|"))

LANDS: Final = frozenset({2, 3, 4})
"""Which of the kinds that follow are continents, countries and states."""
KINDS_OF: Final = tuple(
    tuple(group.split())
    for group in """january february march april may june july august september october november december
    |monday tuesday wednesday thursday friday saturday sunday
    |africa asia europe australia antarctica oceania
    |usa uk britain england scotland wales ireland france germany italy spain portugal netherlands belgium switzerland austria poland
     sweden norway denmark finland greece turkey russia ukraine hungary romania china japan india pakistan korea vietnam thailand
     indonesia philippines iran iraq israel egypt nigeria kenya brazil argentina chile peru colombia mexico cuba canada zealand
     venezuela singapore malaysia syria afghanistan
    |texas california florida ohio illinois michigan pennsylvania massachusetts virginia georgia nevada oregon arizona colorado utah
     kansas nebraska iowa wisconsin minnesota missouri oklahoma louisiana alabama mississippi tennessee kentucky indiana maryland
     connecticut vermont maine alaska hawaii montana wyoming idaho arkansas delaware jersey carolina dakota
    |spring summer autumn winter|north south east west
    |northern southern eastern western|northeast northwest southeast southwest
    |red blue green yellow black white orange purple brown grey gray pink
    |american british english french german italian spanish russian chinese japanese indian canadian australian irish scottish welsh
     mexican brazilian dutch swedish norwegian danish finnish polish greek turkish egyptian korean african austrian hungarian
     portuguese swiss belgian israeli iranian iraqi pakistani argentinian cuban vietnamese thai czech ukrainian romanian nigerian
    |father mother brother sister son daughter uncle aunt cousin nephew niece husband wife grandfather grandmother stepfather
    |actor singer politician footballer author painter scientist dancer journalist chef lawyer engineer architect physician
     composer drummer guitarist pianist swimmer boxer wrestler comedian director producer sculptor mathematician astronaut
     doctor teacher nurse baker plumber carpenter soldier pilot farmer fisherman tailor philosopher poet
    |film album song book novel series play band painting opera poem magazine newspaper game sculpture
    |comedy drama horror thriller western romance tragedy documentary musical
    |pop rock jazz metal country blues reggae punk hip-hop folk disco classical
    |christian muslim jewish hindu buddhist sikh catholic protestant|christianity islam judaism hinduism buddhism sikhism
    |football basketball baseball cricket tennis hockey rugby golf boxing wrestling swimming cycling volleyball
    |gold silver bronze copper iron lead tin steel|piano guitar violin drum bass trumpet saxophone flute cello
    |atlantic pacific arctic|mercury venus earth mars jupiter saturn uranus
    |cat dog horse cow pig sheep goat chicken mouse rabbit lion tiger bear elephant|beer wine vodka whisky rum gin
    |army navy marines|house apartment castle hotel hospital church
    |car truck bus train plane ship bicycle motorcycle|breakfast lunch dinner|democrat republican|second minute hour day week month
     year decade century|city country state village river lake mountain island ocean|wood stone metal glass plastic paper
    |bachelor master doctorate|kilometre metre mile foot inch""".replace("\n", "").split("|")
)
"""Words of one kind, of which as a rule one alone is true of the same thing."""
