type Words = Readonly<Record<string, string>>

/** English sentences that say what to type at the command line, as a person on the page is told; the others are said as they are. */
const ON_PAGE: Words = {
  'connect deliveries list --inbox says why; connect deliveries replay <id> tries them again.':
    'Open the inbox to see why, and replay them there.',
  'connect deliveries list --rejected; connect deliveries explain <id> says whether a setting is wrong.':
    'Open the webhook to see whether a setting is wrong.',
  'Tell callers (connect settings set announce_recordings on), or do not record where the law forbids it.':
    'Tell callers, or do not record where the law forbids it.',
  'connect deliveries show {1} says what happened.': 'Open webhook {1} to see what happened.',
  'A proxy must pass the header and body unchanged; then run connect sync voiceai.':
    'A proxy must pass the header and body unchanged; then sync the voice agents.',
  'A proxy must pass the header x-voiceai-agent-token; then run connect sync voiceai.':
    'A proxy must pass the header x-voiceai-agent-token; then sync the voice agents.',
  'Fix that, then: {1}': 'Fix that, then {1}.',
  'connect sync voiceai': 'sync the voice agents',
  'connect sync telco': 'sync Twilio',
}
const COMMAND = /^connect [a-z]/
const COMMAND_ALONE = /^connect [a-z ]+$/

/** How a finding is set right on the page; nothing where that is a command alone, because a link leads to its place. */
export function wordFix(english: string, words: Words): string {
  const said = COMMAND_ALONE.test(english) ? '' : wordFinding(english, { ...ON_PAGE, ...words })
  return COMMAND.test(said) ? '' : said
}

/**
 * A sentence of the checks in other words. The words are known by the English sentence with places, such as `{1} is not https`; what
 * stands in a place is put into other words, too, where it has any.
 */
export function wordFinding(english: string, words: Words): string {
  const whole = own(words, english)
  if (whole !== undefined) return whole
  const fitting = Object.keys(words).filter((key) => key.includes('{') && shapeOf(key).test(english))
  // What has more words of its own is the more exact one.
  const key = fitting.reduce((best, each) => (each.length > best.length ? each : best), '')
  const sentence = own(words, key)
  if (sentence === undefined) return ofRecord(english, words)
  const places = shapeOf(key).exec(english) ?? []
  return sentence.replaceAll(/\{(\d)\}/g, (_, place: string) => {
    const said = places[Number(place)] ?? ''
    // Shorter than the whole, so this ends.
    return wordFinding(said, words)
  })
}

/** What is said of a record, or of something that there is once, stands behind its name: `Night desk: ElevenLabs does not have it.`. */
function ofRecord(english: string, words: Words): string {
  const [, name = '', said] = /^(.+?): (.+)$/s.exec(english) ?? []
  return said === undefined ? english : `${own(words, name) ?? name}: ${wordFinding(said, words)}`
}

/** Places are numbered as they come in English. */
function shapeOf(key: string): RegExp {
  const parts = key.split(/\{\d\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}

function own(words: Words, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}
