type Words = Readonly<Record<string, string>>

let fields: Words = {}

/** From now on labels are in these words. */
export function wordLabels(words: Words): void {
  fields = words
}

/**
 * A label of the service in the reader's language: by its place, such as `helpdesk.ticket.name`, where that has a word of
 * its own, else by the English, which is also what is shown where neither is known.
 */
export function labelOf(english: string, place = ''): string {
  return own(place) ?? own(english) ?? english
}

const STAGE = 'helpdesk.stage.'

/** What a stage of tickets is called: one that came with the product in the reader's language, until somebody renames it. */
export function stageName(name: string): string {
  return own(`${STAGE}${name}`) ?? name
}

/** Stored names of the stages that came with the product and are shown as the test says. */
export function stagesShown(fits: (shown: string) => boolean): string[] {
  const worded = Object.entries(fields).filter(([key, shown]) => key.startsWith(STAGE) && fits(shown))
  return worded.map(([key]) => key.slice(STAGE.length))
}

/** What the service is called where it wrote something by itself; its user is named as the contract has it. */
const SERVICE_USER = 'Connect Webhook'
const SERVICE = 'Connect'

const HOURS_OF_DAY = /^(\w+day) (\d{2}:\d{2}) to (\d{2}:\d{2})$/

const SYNC_RUN = /^(Twilio|ElevenLabs) ([a-z_]+) (\d+)$/
const CHECK_RUN = /^(Checks) (\d+) \((\w+)\)$/

/** Records that the service calls by their kind and id alone. */
const OF_KIND =
  /^(Erasure|Stored webhook|Reader|Recording|Voicemail|Message|Invitation|Session|Step|Draft|Question|Trial) (\d+)$/

/** The name of a record in the reader's language, where the service makes it of words: "Montag 08:00–12:30", "Twilio-Abgleich 7". */
export function recordName(name: string): string {
  if (name === SERVICE_USER) return SERVICE
  const [, provider = '', kind = '', run] = SYNC_RUN.exec(name) ?? []
  if (run !== undefined) return runName(provider, kind, run)
  const [, checks = '', number, state = ''] = CHECK_RUN.exec(name) ?? []
  if (number !== undefined) return `${own(checks) ?? checks} ${number} (${own(state) ?? state})`
  const [, thing = '', id] = OF_KIND.exec(name) ?? []
  if (id !== undefined) return `${own(thing) ?? thing} ${id}`
  const [, day = '', from, to] = HOURS_OF_DAY.exec(name) ?? []
  const worded = own(day)
  return worded === undefined ? name : `${worded} ${from}–${to}`
}

function runName(provider: string, kind: string, run: string): string {
  const done = own(kind)
  return done === undefined ? `${provider} ${kind.replaceAll('_', ' ')} ${run}` : `${provider}-${done} ${run}`
}

function own(key: string): string | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
