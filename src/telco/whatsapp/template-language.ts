/** Languages of which WhatsApp knows more than one form; it knows every other one by its two letters. */
const REGIONAL = new Set(['en_US', 'en_GB', 'es_ES', 'es_MX', 'es_AR', 'pt_BR', 'pt_PT', 'zh_CN', 'zh_HK', 'zh_TW'])
/** Codes that the two sides spell in different ways. */
const SPELT: Readonly<Record<string, string>> = { nn: 'nb', no: 'nb' }

/** A language of ours, such as `de_DE`, as the provider of templates calls it. */
export function templateLanguage(code: string): string {
  if (REGIONAL.has(code)) return code
  const [short = code] = code.split('_')
  return SPELT[short] ?? short
}

/** The language of ours that a template is in: the same code, else the first one of that language. */
export function findLanguage<Language extends { code: string }>(
  given: string,
  languages: readonly Language[],
): Language | undefined {
  const code = given.replace('-', '_')
  const exact = languages.find((each) => each.code === code)
  if (exact !== undefined) return exact
  const [short = ''] = code.split('_')
  const home = `${short}_${short.toUpperCase()}`
  const wanted = SPELT[short] ?? short
  return languages.find((each) => each.code === home) ?? languages.find((each) => each.code.split('_')[0] === wanted)
}
