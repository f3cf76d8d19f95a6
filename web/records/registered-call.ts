/** The note that the service writes on a contact when a call has ended, in English; taken apart for the reader's language, pure. */
import { type Reader, shortTime } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { zoneCity } from '../words/zones.ts'

const HEAD = /^(Incoming|Outgoing|Internal) call (\d+): (?:(missed)(?: \((.+)\))?|(.+))$/
const LINE = /^([A-Z][a-z]+(?: by)?): (.*)$/
const TIME = /^\w+day, (\d{1,2}) (\w+) (\d{4}) at (\d{2}):(\d{2}) (.+)$/
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const LABELS: Readonly<Record<string, Keys['records']>> = {
  Time: 'registeredTime',
  Contact: 'registeredContact',
  Caller: 'registeredCaller',
  Called: 'registeredCalled',
  Duration: 'registeredDuration',
  'Answered by': 'registeredAnswered',
  Dialled: 'registeredDialled',
}
const WITHHELD = 'a withheld number'
const UNKNOWN = 'unknown'
/** Nobody but the person who wanted to call was called. */
const NOT_MADE = 'not made'

interface Written {
  say: (key: Keys['records'], values?: Record<string, string>) => string
  /** A direction or a status of calls in the reader's language. */
  wordOf: (english: string) => string
  /** Numbers in groups. */
  numberOf: (text: string) => string
  reader: Reader
  now: Date
}

/** The lines of such a note; undefined for any other. */
export function registeredLines(text: string, written: Written): string[] | undefined {
  const [first = '', ...others] = text.split('\n')
  const [, direction = '', id = '', missed, why, outcome] = HEAD.exec(first) ?? []
  if (id === '') return undefined
  const { say, wordOf } = written
  const status = (english: string) => wordOf(english.replaceAll(' ', '-')).replaceAll('-', ' ')
  const otherwise = outcome === NOT_MADE ? say('registeredNotMade') : status(outcome ?? '')
  const ended = missed === undefined ? otherwise : say('registeredMissed')
  const head = say('registered', {
    id,
    direction: wordOf(direction.toLowerCase()),
    outcome: why === undefined ? ended : `${ended} (${status(why)})`,
  })
  return [capital(head), ...others.map((line) => lineOf(line, written)).filter((line) => line !== '')]
}

function lineOf(line: string, written: Written): string {
  const [, label = '', value = ''] = LINE.exec(line) ?? []
  const key = LABELS[label]
  if (key === undefined) return line
  return value === '' ? '' : `${written.say(key)}: ${shownOf(label, value, written)}`
}

function shownOf(label: string, value: string, { say, numberOf, reader, now }: Written): string {
  if (value === WITHHELD) return say('registeredWithheld')
  if (value === UNKNOWN) return say('registeredUnknown')
  return label === 'Time' ? timeOf(value, reader, now) : numberOf(value)
}

/** The moment as the reader writes it: in their zone where it is known, else with the place whose clock it is, unless it is theirs. */
function timeOf(value: string, reader: Reader, now: Date): string {
  const [, day, month = '', year, hours, minutes, zone = ''] = TIME.exec(value) ?? []
  if (year === undefined) return value
  const at = new Date(Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes)))
  if (zone === 'UTC') return shortTime(at, now, reader)
  const time = shortTime(at, now, { ...reader, zone: 'UTC' })
  const place = zone.replace(/ time$/, '')
  if (place === zoneCity(reader.zone, 'en')) return time
  return `${time} (${zoneCity(place.replaceAll(' ', '_'), reader.language)})`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
