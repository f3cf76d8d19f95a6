import type { Connection } from '../../app/own-api/connection.ts'
import type { ScenarioReport } from '../emulators.ts'

interface KindOfRecord {
  model: string
  fields: readonly string[]
  /** Which of them; all of them when left out. */
  domain?: readonly (readonly unknown[])[]
}

/** Records by the word a person uses for them, and what to read of each. */
const KINDS = {
  call: {
    model: 'connect.call',
    fields: [
      'direction',
      'caller',
      'called',
      'partner',
      'status',
      'outcome',
      'duration_human',
      'answered_user',
      'voiceai_agent',
      'voiceai_conversation_id',
      'ticket',
      'voicemail_duration',
      'error_message',
    ],
  },
  ticket: { model: 'helpdesk.ticket', fields: ['name', 'partner_id', 'stage_id'] },
  meeting: { model: 'calendar.event', fields: ['name', 'user_id', 'start', 'stop'] },
  recording: {
    model: 'connect.recording',
    fields: ['call', 'duration_human', 'recording_widget', 'voiceai_transcript'],
  },
  message: {
    model: 'connect.message',
    fields: ['message_type', 'direction', 'from_number', 'to_number', 'body', 'status'],
  },
  note: {
    model: 'mail.message',
    fields: ['model', 'res_id', 'body'],
    domain: [['model', 'in', ['connect.call', 'helpdesk.ticket']]],
  },
} as const satisfies Readonly<Record<string, KindOfRecord>>

type Kind = keyof typeof KINDS
type Link = readonly [id: number, name: string]
type Cell = string | number | boolean | Link | null
/** A record as the API gives it. */
type StoryRecord = { readonly id: number } & { readonly [Field in string]: Cell }
/** What a scenario left in the service, read back from its API. */
type Found = Readonly<Record<Kind, readonly StoryRecord[]>>
/** A scenario, how it went, and what the service has of it. */
export interface Chapter extends ScenarioReport {
  found: Found
}

type Marks = Readonly<Record<Kind, number>>

const RECORDS_MAX = 100
const AUDIO_MS_MAX = 10_000
const LOOK_AGAIN_MS = 50

/** The newest ids, so that what comes later can be told apart. */
export async function markNewest(connection: Connection): Promise<Marks> {
  return mapKinds(async (kind) => {
    const args = { order: 'id desc', limit: 1 }
    const [newest] = await connection.call<number[]>(KINDS[kind].model, 'search', args)
    return newest ?? 0
  })
}

/** What came since. */
async function readSince(connection: Connection, marks: Marks): Promise<Found> {
  return mapKinds(async (kind) => {
    const { model, fields, domain: only = [] }: KindOfRecord = KINDS[kind]
    const domain = [['id', '>', marks[kind]], ...only]
    return connection.call<StoryRecord[]>(model, 'search_read', { domain, fields, order: 'id', limit: RECORDS_MAX })
  })
}

/** The same, once the audio of every conversation has come: it is delivered after the words. */
export async function readWhole(connection: Connection, marks: Marks): Promise<Found> {
  const endMs = Date.now() + AUDIO_MS_MAX
  for (;;) {
    const found = await readSince(connection, marks)
    const isWhole = found.recording.every(({ recording_widget: player }) => player !== null)
    if (isWhole || Date.now() > endMs) return found
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

async function mapKinds<Value>(of: (kind: Kind) => Promise<Value>): Promise<Record<Kind, Value>> {
  const [call, ticket, meeting, recording, message, note] = await Promise.all([
    of('call'),
    of('ticket'),
    of('meeting'),
    of('recording'),
    of('message'),
    of('note'),
  ])
  return { call, ticket, meeting, recording, message, note }
}

/** What came of a scenario as a person reads it, one line for each record and the words of each conversation. */
export function tell({ call, ticket, meeting, recording, message, note }: Found, address: string): string[] {
  return [
    ...call.map((each) => line('call', each, describeCall(each))),
    ...ticket.map((each) => line('ticket', each, `"${each.name}" of ${nameOf(each.partner_id)}`)),
    ...meeting.map((each) =>
      line('meeting', each, `"${each.name}" with ${nameOf(each.user_id)}, ${each.start} to ${timeOf(each.stop)} UTC`),
    ),
    ...recording.flatMap((each) => [
      line('recording', each, describeRecording(each, address)),
      ...wordsOf(each.voiceai_transcript),
    ]),
    ...message.map((each) => line('message', each, describeMessage(each))),
    ...note.map((each) => line('note', each, `on ${lastWord(each.model)} ${each.res_id}: ${textOf(each.body)}`)),
  ]
}

function describeCall(call: StoryRecord): string {
  const { direction, caller, called, partner } = call
  const contact = partner === null ? '' : ` (${nameOf(partner)})`
  const parties = direction === 'outgoing' ? `${caller} to ${called}${contact}` : `${caller}${contact} to ${called}`
  const { status, duration_human: duration, voicemail_duration: voicemail, ticket, error_message: error } = call
  return [
    `${direction}, ${parties}`,
    ...whoAnswered(call),
    `${status} after ${duration}`,
    voicemail === null || voicemail === 0 ? [] : [`voicemail of ${voicemail} s`],
    ticket === null ? [] : [`ticket ${idOf(ticket)}`],
    error === null || error === '' ? [] : [String(error)],
  ]
    .flat()
    .join(', ')
}

/** The platform has a conversation with everybody whom its agent answers. */
function whoAnswered({
  voiceai_agent: agent,
  voiceai_conversation_id: conversation,
  answered_user: person,
}: StoryRecord): string[] {
  const hasSpoken = agent !== null && conversation !== null
  const answered = [
    ...(hasSpoken ? [`voice agent ${nameOf(agent)}`] : []),
    ...(person === null ? [] : [nameOf(person)]),
  ]
  return [
    ...(agent === null || hasSpoken ? [] : [`voice agent ${nameOf(agent)} was not reached`]),
    ...(answered.length === 0 ? [] : [`answered by ${answered.join(', then ')}`]),
  ]
}

/** Of a conversation the platform may have sent the words alone; then there is nothing to listen to. */
function describeRecording(recording: StoryRecord, address: string): string {
  const { id, call, duration_human: duration, recording_widget: player } = recording
  return `of call ${idOf(call)}, ${duration}, ${player === null ? 'words only' : `${address}/connect/recording/${id}`}`
}

function describeMessage(message: StoryRecord): string {
  const { message_type: type, direction, from_number: from, to_number: to, status, body } = message
  return `${type} ${direction}, ${from} to ${to}, ${status}: "${body ?? ''}"`
}

const LABEL_CHARS = 12

function line(kind: Kind, { id }: StoryRecord, text: string): string {
  return `  ${`${kind} ${id}`.padEnd(LABEL_CHARS)}  ${text}`
}

function wordsOf(transcript: Cell | undefined): string[] {
  if (typeof transcript !== 'string') return []
  return transcript.split('\n').map((each) => `  ${' '.repeat(LABEL_CHARS)}    ${each}`)
}

function nameOf(link: Cell | undefined): string {
  return Array.isArray(link) ? String(link[1]) : 'nobody'
}

function idOf(link: Cell | undefined): string {
  return Array.isArray(link) ? String(link[0]) : 'none'
}

/** The time of `2026-03-02 08:30:00`. */
function timeOf(at: Cell | undefined): string {
  return String(at).slice('2026-03-02 '.length)
}

/** `ticket` of `helpdesk.ticket`. */
function lastWord(model: Cell | undefined): string {
  return String(model).split('.').at(-1) ?? ''
}

function textOf(html: Cell | undefined): string {
  return String(html)
    .replaceAll(/<br\s*\/?>/g, ', ')
    .replaceAll(/<[^>]*>/g, '')
}
