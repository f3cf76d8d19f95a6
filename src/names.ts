/** Characters of a name that an agent is told. */
const TOLD_CHARS_MAX = 80
/** What ends a line or moves a cursor, and what turns the direction of writing around (unicode.org/reports/tr9, Bidi_Control). */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const TURNS = /\p{Bidi_Control}+/gu
/**
 * Other characters that show nothing, with which whole sentences are hidden: selectors of variants, fillers, tags. But for the
 * two that join letters and signs of some scripts, or keep them apart, and the two that draw a sign as text or in colours.
 */
const UNSHOWN = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
/** More of those in a row than any sign has. */
const UNSHOWN_RUN = /((?:\u200c|\u200d|\ufe0e|\ufe0f){2})(?:\u200c|\u200d|\ufe0e|\ufe0f)+/gu
/** What no text for a prompt has: it would end a line as something else, and `{{` is a placeholder. */
const HIDDEN_IN_TEXT = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]|\{\{|\}\}/gu
/** What directories, markup and placeholders of prompts are written with. */
const MEANT = /[<>"{}]/g

/** The shape of a person's name, for fields. */
export const ONE_LINE = {
  matches: /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u,
  says: 'in one line, without control characters',
}

/** The shape of a login: a blank in it is a slip that nobody sees when they sign in. */
export const LOGIN = {
  matches: /^[^\s\p{Cc}\p{Bidi_Control}]*$/u,
  says: 'without blanks',
}

/** A name in one line and without control characters, as fields of names take it; an ordinary one stays as it is. */
export function cleanName(name: string): string {
  const line = name.replaceAll(BREAKS, ' ').replaceAll(TURNS, '')
  return line === name ? name : line.replaceAll(/ {2,}/g, ' ').trim()
}

/**
 * A name as a prompt, or what an agent reads and says, may have it. People choose their names: in one line, short, and without
 * what could be read as another entry of a list or as a placeholder, a name is a name and no order.
 */
export function nameForAgents(name: string): string {
  const told = cleanName(name.replaceAll(UNSHOWN, '').replaceAll(UNSHOWN_RUN, '$1').replaceAll(MEANT, ''))
  return told.length <= TOLD_CHARS_MAX ? told : withoutHalf(told.slice(0, TOLD_CHARS_MAX)).trimEnd()
}

/** A text of several lines as a prompt may have it: what was said of a call before may quote whatever a caller said. */
export function textForAgents(text: string): string {
  return text.replaceAll(UNSHOWN, '').replaceAll(UNSHOWN_RUN, '$1').replaceAll(HIDDEN_IN_TEXT, ' ').trim()
}

/** Of a character of two halves, the first one alone is none. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '')
}
