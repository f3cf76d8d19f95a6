/** What the service writes into notes in English, line by line, taken apart for the language of the page; pure. */
import type { Keys } from './keys.ts'

/** Noted on a call that those it rang for did not take. */
const MISSED = /^Missed call from (.+)\. For: (.+)\.$/
const WITHHELD = 'a withheld number'
const SUMMARY = /^Summary of call (\d+):$/
const MERGED = /^Merged with (.+)\.$/
/** What became of a message, and why: the code of the phone provider, and what it says itself. */
const READ = /^The (WhatsApp )?message to (.+) was read\.$/
const UNDELIVERED = /^The (WhatsApp )?message to (.+?) was not delivered\b(.*)$/
const UNSENT = /^Sending the (WhatsApp )?message to (.+?) failed\b(.*)$/
const CODE = / \(error (\d+)\)/

interface Written {
  say: (key: Keys['records'], values?: Record<string, string>) => string
  /** What a code of the phone provider means; undefined where nobody knows. */
  errorOf: (code: string) => string | undefined
  /** A number in groups. */
  numberOf: (text: string) => string
}

/** Who called, undefined where the number was withheld, and whom it rang for. */
export function missedIn(text: string): { from: string | undefined; people: string } | undefined {
  const [, from, people = ''] = MISSED.exec(text) ?? []
  return from === undefined ? undefined : { from: from === WITHHELD ? undefined : from, people }
}

/** A line of a note in the words of the reader; undefined where somebody else wrote it. */
export function noteWords(line: string, written: Written): string | undefined {
  const { say, numberOf } = written
  const [, call] = SUMMARY.exec(line) ?? []
  if (call !== undefined) return say('noteSummary', { id: call })
  const [, name] = MERGED.exec(line) ?? []
  if (name !== undefined) return say('noteMerged', { name })
  const missed = missedIn(line)
  if (missed === undefined) return messageWords(line, written)
  const { from, people } = missed
  return say('noteMissed', { from: from === undefined ? say('noteWithheld') : numberOf(from), people })
}

function messageWords(line: string, { say, errorOf, numberOf }: Written): string | undefined {
  const about = (isWhatsApp: string | undefined, to: string) => ({
    kind: say(isWhatsApp === undefined ? 'noteMessage' : 'noteWhatsApp'),
    to: numberOf(to),
  })
  const [, readOn, reader] = READ.exec(line) ?? []
  if (reader !== undefined) return say('noteRead', about(readOn, reader))
  const [isUnsent, failed] = [UNSENT.test(line), UNSENT.exec(line) ?? UNDELIVERED.exec(line)]
  const [, kind, to, rest = ''] = failed ?? []
  if (to === undefined) return undefined
  const [, code = ''] = CODE.exec(rest) ?? []
  const meaning = errorOf(code)
  const why = meaning === undefined ? rest.replace(/^[.:]? */, '') : `${meaning} (${code})`
  return `${say(isUnsent ? 'noteUnsent' : 'noteUndelivered', about(kind, to))} ${why}`.trim()
}
