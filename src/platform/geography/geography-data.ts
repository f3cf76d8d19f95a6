/** ISO 3166 codes; their names come from the runtime, so they are spelt as everywhere else. */
const COUNTRY_CODES =
  'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PR PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW'

const LANGUAGE_CODES =
  'en_US en_GB ar_001 bg_BG zh_CN hr_HR cs_CZ da_DK nl_NL fi_FI fr_FR de_DE de_CH el_GR hi_IN hu_HU id_ID it_IT ja_JP ko_KR ms_MY nb_NO pl_PL pt_BR pt_PT ro_RO ru_RU sk_SK es_ES es_MX sv_SE ta_IN tr_TR uk_UA vi_VN'

const regions = new Intl.DisplayNames(['en'], { type: 'region' })
const languages = new Intl.DisplayNames(['en'], { type: 'language' })

export const COUNTRIES = COUNTRY_CODES.split(' ').map((code) => ({ code, name: regions.of(code) ?? code }))

export const LANGUAGES = LANGUAGE_CODES.split(' ').map((code) => ({
  code,
  name: languages.of(code.replace('_', '-')) ?? code,
}))
