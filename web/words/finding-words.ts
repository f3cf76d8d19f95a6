type Words = Readonly<Record<string, string>>

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
    return wordPlace(said, words)
  })
}

/** Several names in one place, such as steps of a sync, have words one by one. */
function wordPlace(english: string, words: Words): string {
  const said = wordFinding(english, words)
  if (said !== english) return said
  return english
    .split(', ')
    .map((name) => own(words, name) ?? name)
    .join(', ')
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
