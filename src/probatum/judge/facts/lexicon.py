"""What words of English mean to each other, as data: their forms, what is meant alike, what excludes what.

Small on purpose: only what holds in any text. A word that is missing here is compared by its stem alone.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in text.split("|"))


FUNCTION: Final = _words(
    """a an the of in on at to for from by with as and or but nor so than that which who whom whose this these
    those it its he him his she her hers they them their theirs we us our ours you your yours i me my mine is
    are was were be been being am do does did done doing has have had having will would shall should can could
    may might must there here what when where why how if then also too very into onto out up down off over about
    again further such own same other both each few more most some any no not only just s t d ll re ve m o one's
    while during before after since until between among through under above against because however although
    though yet et al per via upon within without himself herself itself themselves still even ever never always
    already now back away all every another either neither well much many lot lots quite rather get gets got
    getting let lets say says said saying tell tells told st nd rd th ca wo lrb rrb lsb rsb mr mrs ms dr"""
)
LIGHT: Final = _words(
    """make use know call name have take give go come become begin start work play include serve appear see find
    show put keep hold bring set run lead follow live feature base describe consider person people man woman
    time year day way thing part number group member place first last new old good great several various known
    different certain kind type term form young own main major famous popular real actual currently originally
    former later early just portray involve relate contain consist locate ask want need try think believe claim
    report reveal feel say happen turn help like look seem back home world life end side case point fact"""
)
"""Words that tell little about what a sentence is about."""
GENDERS: Final = (_words("he him his himself"), _words("she her hers herself"))
SYMMETRIC: Final = _words("and or with meet marry versus vs near between beside like resemble equal tie")
"""Words between two names that can change places."""
UNITS_OF_TIME: Final = _words("year month week day hour minut time")
_NUMBERS: Final = _groups(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen | twenty thirty forty fifty sixty seventy eighty ninety
    | first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"""
)
NUMBERS: Final = {
    **{word: number for number, word in enumerate(_NUMBERS[0], 1)},
    **{word: 10 * number for number, word in enumerate(_NUMBERS[1], 2)},
}
ORDINALS: Final = {word: number for number, word in enumerate(_NUMBERS[2], 1)}
SCALES: Final = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "m": 6, "bn": 9, "k": 3}
"""Powers of ten."""
SUFFIXES: Final = tuple(
    group[0].partition(">")[::2]
    for group in _groups(
        """ational>ate | ization>ize | isation>ize | fulness>ful | iveness>ive | ousness>ous | ically>ic |
        ation>ate | ators>ate | ator>ate | ising>ize | ised>ize | ise>ize | ments | ment | ness | ists>y |
        ist>y | ably | able | ible | ities | ity | ance | ence | ions | ion | fully | ful | less>less | ings
        | ing | edly | ed | ical>ic | ally | al | ily>y | ly | ers | er | ors | or | ies>y | ians | ian |
        ans | an | ese | ish | ives | ive | ous"""
    )
)
"""Endings of words and what stands in their place in the stem, in the order in which they are tried."""
IRREGULAR: Final = {
    form: base
    for base, *forms in _groups(
        """win won | write wrote written | begin began begun | sell sold sale | buy bought | make made making |
        take took taken | give gave given | go went gone | come came coming | become became | know knew
        known | see saw seen | find found | lead led | hold held | run ran | keep kept | bring brought |
        think thought | leave left | lose lost loss | meet met | pay paid payment | send sent | build built
        | fall fell fallen | grow grew grown growth | draw drew drawn | drive drove driven | eat ate eaten |
        fly flew flown flight | hide hid hidden | ride rode | rise rose risen | sing sang sung song | speak
        spoke spoken | steal stole stolen | teach taught | throw threw thrown | wear wore worn | catch
        caught | choose chose chosen choice | feel felt | fight fought | hear heard | shoot shot | sit sat |
        spend spent | stand stood | strike struck | break broke broken | bear born | child children | man
        men | woman women | wife wives | life lives | foot feet | die died dying dead death | marry marriage
        | seek sought | sink sank sunk | deal dealt | mean meant | prove proven proof | shake shook | swear
        swore | wake woke | flee fled | hang hung | understand understood | withdraw withdrew | tooth teeth
        | half halves | believe belief | succeed success | produce production | destroy destruction | decide
        decision | describe description | explode explosion | expand expansion | strong strength | high
        height | long length | free freedom"""
    )
    for form in forms
}
ALIKE: Final = _groups(
    """film movie picture | book novel | band group ensemble | singer vocalist | actor actress performer | author
    writer novelist | series show programme program | physician doctor | attorney lawyer | child kid | child son
    | child daughter | child boy | child girl | father dad parent | mother mom mum parent | wife spouse |
    husband spouse | car automobile vehicle | truck lorry | begin start commence | end finish conclude | buy
    purchase acquire | large big huge | small little tiny | quick fast rapid | release issue publish | create
    make produce build | design invent devise | found establish create form | located situated | kill murder
    assassinate | die death decease | win victory triumph | defeat beat | receive obtain get earn | study
    research | job occupation profession career | near close | happen occur | country nation state homeland |
    town city | war conflict battle | prize award honour honor | company firm corporation business | illness
    disease | sick ill | help aid assist | tv television | football soccer | jail prison | police cop officer |
    sea ocean | shop store | money cash fund | attempt try | reject refuse decline | choose select pick |
    require need | allow permit let | show reveal disclose | say state declare | star act role part portray play
    | direct director | compose composer write | script screenplay | song single track | album record | player
    athlete | monarch king | monarch queen | leader president ruler | boss manager coach | teacher instructor
    professor | pupil student | school college university | scholar academic | soldier military army troop |
    ship boat vessel | aircraft plane airplane | injure wound hurt | attack assault | steal rob theft | accident
    crash collision | increase rise grow climb | decrease fall decline drop | amount number | entire whole |
    british english uk britain england | american us usa america | french france | german germany | dutch
    netherlands | spanish spain | greek greece | swiss switzerland | danish denmark | polish poland | turkish
    turkey | swedish sweden | finnish finland | irish ireland | welsh wales | scottish scotland | norwegian
    norway | european europe | soviet ussr russian russia | east eastern | west western | north northern | south
    southern | wwi first-world-war | wedding marry marriage | divorce split separate | birth born | name
    nickname title call dub | famous known renowned celebrity | hate dislike | love like | angry furious | hard
    difficult | easy simple | correct right | wrong incorrect | previous former | main chief primary principal |
    originally initially first | eventually finally | frequent often | rare seldom | almost nearly approximately
    about around | mainly mostly primarily | visit tour travel | move relocate | quit resign | fire sack dismiss
    | hire employ recruit | join enlist | leave depart | stay remain | live reside | inhabitant resident
    population people | woman female lady | man male | sibling brother | sibling sister | couple pair two |
    dozen twelve | decade ten | century hundred | three trio trilogy triple | twice two double | half fifty |
    zero no | comic humorous comedy | horror scary | detective investigator | religion religious faith | chef
    cook | painter artist | painting picture artwork | photo photograph image | newspaper paper | magazine
    journal | reporter journalist | speak talk | announce declare | deny refuse | accuse charge | arrest detain
    | trial court | law legislation | vote election elect | government administration | cost price | profit gain
    | trade commerce"""
)
"""Words that can mean the same; they do not always, so that they count less than the word itself."""
OPPOSITES: Final = _groups(
    """increase decrease | rise fall | grow shrink | gain lose | win lose | win defeat | victory defeat | success
    failure | succeed fail | accept reject | accept refuse | accept decline | admit deny | confirm deny |
    approve reject | allow forbid | allow ban | permit prohibit | begin end | start end | start finish | start
    stop | open close | enter leave | arrive depart | arrive leave | join leave | buy sell | lend borrow | give
    take | send receive | raise lower | build destroy | create destroy | love hate | like hate | like dislike |
    praise criticize | support oppose | support criticize | agree disagree | attack defend | hire fire | arrest
    release | convict acquit | guilty innocent | alive dead | live die | born die | birth death | marry divorce
    | unite divide | large small | big small | high low | long short | tall short | wide narrow | thick thin |
    deep shallow | fast slow | quick slow | rapid slow | strong weak | hard soft | hard easy | difficult easy |
    heavy light | hot cold | warm cool | wet dry | rich poor | old young | old new | ancient modern | early late
    | earlier later | first last | before after | above below | over under | inside outside | internal external
    | public private | male female | man woman | boy girl | father mother | son daughter | brother sister |
    husband wife | king queen | good bad | good evil | best worst | better worse | positive negative | right
    wrong | true false | correct incorrect | real fake | real fictional | fiction nonfiction | same different |
    similar different | common rare | frequent rare | often rarely | all some | every some | many few | more
    less | more fewer | maximum minimum | highest lowest | largest smallest | biggest smallest | oldest youngest
    | longest shortest | tallest shortest | majority minority | single married | safe dangerous | legal illegal
    | possible impossible | happy sad | friend enemy | hero villain | peace war | rural urban | north south |
    east west | northern southern | eastern western | left right | top bottom | upper lower | day night |
    morning evening | summer winter | military civilian | amateur professional | comedy tragedy | prequel sequel
    | predecessor successor | succeed precede | conservative liberal | republican democrat | liquid solid |
    natural artificial | full empty | permanent temporary | local foreign | domestic foreign | import export |
    profit loss | income expense | cheap expensive | beautiful ugly | clean dirty | simple complex | remember
    forget | hide reveal | save spend | advance retreat | survive die | avoid cause | prevent cause | include
    exclude | appear disappear | solo group | alone together | fail pass | absent present | worsen improve |
    harm benefit | healthy sick | best-selling worst-selling | major minor | senior junior"""
)
KINDS_OF: Final = _groups(
    """january february march april may june july august september october november december | monday tuesday
    wednesday thursday friday saturday sunday | africa asia europe australia antarctica oceania | usa uk britain
    england scotland wales ireland france germany italy spain portugal netherlands belgium switzerland austria
    poland sweden norway denmark finland greece turkey russia ukraine hungary romania china japan india pakistan
    korea vietnam thailand indonesia philippines iran iraq israel egypt nigeria kenya brazil argentina chile
    peru colombia mexico cuba canada zealand venezuela singapore malaysia syria afghanistan | texas california
    florida ohio illinois michigan pennsylvania massachusetts virginia georgia nevada oregon arizona colorado
    utah kansas nebraska iowa wisconsin minnesota missouri oklahoma louisiana alabama mississippi tennessee
    kentucky indiana maryland connecticut vermont maine alaska hawaii montana wyoming idaho arkansas delaware
    jersey carolina dakota | spring summer autumn winter | north south east west | northern southern eastern
    western | northeast northwest southeast southwest | red blue green yellow black white orange purple brown
    grey gray pink | american british english french german italian spanish russian chinese japanese indian
    canadian australian irish scottish welsh mexican brazilian dutch swedish norwegian danish finnish polish
    greek turkish egyptian korean african austrian hungarian portuguese swiss belgian israeli iranian iraqi
    pakistani argentinian cuban vietnamese thai czech ukrainian romanian nigerian | father mother brother sister
    son daughter uncle aunt cousin nephew niece husband wife grandfather grandmother stepfather | actor singer
    politician footballer author painter scientist dancer journalist chef lawyer engineer architect physician
    composer drummer guitarist pianist swimmer boxer wrestler comedian director producer sculptor mathematician
    astronaut doctor teacher nurse baker plumber carpenter soldier pilot farmer fisherman tailor philosopher
    poet | film album song book novel series play band painting opera poem magazine newspaper game sculpture |
    comedy drama horror thriller western romance tragedy documentary musical | pop rock jazz metal country blues
    reggae punk hip-hop folk disco classical | christian muslim jewish hindu buddhist sikh catholic protestant |
    christianity islam judaism hinduism buddhism sikhism | football basketball baseball cricket tennis hockey
    rugby golf boxing wrestling swimming cycling volleyball | gold silver bronze copper iron lead tin steel |
    atlantic pacific arctic | cat dog horse cow pig sheep goat chicken mouse rabbit lion tiger bear elephant |
    house apartment castle hotel hospital church | democrat republican | second minute hour day week month year
    decade century | city country state village river lake mountain island ocean"""
)
"""Words of one kind, of which as a rule one alone is true of the same thing; months and days come first."""
LANDS: Final = frozenset({2, 3, 4})
"""Which of these kinds are continents, countries and states."""
