// Reports of the same calls reach two processes at once, in different orders and twice, so that batches meet on the same rows;
// one of the processes gets `kill -9` in the middle, and what it did not answer is sent again.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { ACCOUNT_SID, aVoiceRequest, sendSigned } from '../tests/support/telco.ts'
import { aCallSid } from './callers.ts'
import { AGENT_TOKEN, ServiceUnderStorm, SHARED_KEY } from './service.ts'
import { addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { requireServer } from './storm-database.ts'

const CALLS_A_ROUND = 60
const SENDERS = 24
const KILL_AFTER_MS = [200, 1_500] as const
const RECOVERY_MS = 120_000
/** A provider asks again for hours; here the process that was killed is back long before. */
const PATIENCE_MS = 180_000
const BETWEEN_SENDINGS_MS = 200
const OK = 200
const CALLSTATUS = '/telco/webhook/callstatus'
const MESSAGE = '/telco/webhook/message'
const CREATE_TICKET = '/connect_voiceai_helpdesk/create_ticket'

/** One call: the caller's leg, the leg that was dialled for it, and a message of the same caller. */
interface Call {
  parent: string
  child: string
  message: string
  caller: string
}

/** Something that is sent until it is answered 200. */
type Delivery = (url: string) => Promise<number>

/** Each leg, call, message and ticket is there once, ended as it was reported, and nobody waited for each other in a circle. */
export async function batches(weather: Weather): Promise<Tally> {
  const server = await requireServer(weather)
  const starting = (nth: number) => ({
    dataDir: path.join(weather.folder, `data-${nth}`),
    databaseUrl: server.url,
    env: { ...SHARED_KEY, MEDIA_DIR: path.join(weather.folder, 'media') },
  })
  const services = [await ServiceUnderStorm.start(starting(0)), await ServiceUnderStorm.start(starting(1))] as const
  const alive = [...services]
  weather.afterwards(() => Promise.all(alive.map((service) => service.stop('SIGKILL'))))
  await services[0].setUp()
  return rounds(weather, async () => {
    const calls = Array.from({ length: CALLS_A_ROUND * weather.size }, aCall)
    const reported = sendToBoth(alive, calls.flatMap(reportsOf))
    const [least, most] = KILL_AFTER_MS
    await pause(least + Math.random() * (most - least))
    await alive[1]?.stop('SIGKILL')
    alive[1] = await ServiceUnderStorm.start(starting(1))
    const unanswered = await reported
    const legs = await legsOf(alive[0], calls)
    const asked = await sendToBoth(
      alive,
      calls.map(({ parent }) => ticketFor(legs.get(parent)?.call)),
    )
    const wrong = unanswered + asked + (await deadlocksOn(server.url))
    return addTally({ ...calm(), wrong }, await account(alive[0], calls))
  })
}

function aCall(): Call {
  const caller = `+1415${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`
  return { parent: aCallSid(), child: aCallSid(), message: `SM${randomUUID().replaceAll('-', '')}`, caller }
}

function reportsOf({ parent, child, message, caller }: Call): Delivery[] {
  const ofParent = { CallSid: parent, From: caller }
  const ofChild = { CallSid: child, ParentCallSid: parent, From: caller, To: 'client:ada', Direction: 'outbound-dial' }
  const statuses = ['ringing', 'in-progress', 'completed']
  const reports = [ofParent, ofChild].flatMap((leg) =>
    statuses.map((status, at) => ({ ...leg, CallStatus: status, SequenceNumber: String(at), CallDuration: '7' })),
  )
  const text = {
    ...{ MessageSid: message, SmsSid: message, AccountSid: ACCOUNT_SID, SmsStatus: 'received' },
    ...{ From: caller, To: '+14155550199', Body: 'Hello', NumMedia: '0' },
  }
  return [
    ...reports.map((form) => (url: string) => sendSigned(url, CALLSTATUS, aVoiceRequest(form))),
    (url) => sendSigned(url, MESSAGE, text),
  ]
}

function ticketFor(call: number | undefined): Delivery {
  return async (url) => {
    const reply = await fetch(url + CREATE_TICKET, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-voiceai-agent-token': AGENT_TOKEN },
      body: JSON.stringify({ call_id: call, subject: 'The heating is cold' }),
    })
    await reply.arrayBuffer()
    return reply.status
  }
}

/** Sends everything to both processes, to each in an order of its own; how many were never answered 200. */
async function sendToBoth(services: readonly ServiceUnderStorm[], deliveries: readonly Delivery[]): Promise<number> {
  const unanswered = await Promise.all(
    services.map((_each, at) => sendAll(() => services[at]?.url ?? '', shuffled(deliveries))),
  )
  return unanswered.reduce((sum, count) => sum + count, 0)
}

async function sendAll(url: () => string, deliveries: Delivery[]): Promise<number> {
  let unanswered = 0
  const sender = async (): Promise<void> => {
    for (let next = deliveries.pop(); next !== undefined; next = deliveries.pop()) {
      if (!(await sendUntilAnswered(url, next))) unanswered += 1
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  return unanswered
}

/** As the providers do, again and again while there is no answer, or one that says to come again. */
async function sendUntilAnswered(url: () => string, delivery: Delivery): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS
  while (performance.now() < end) {
    if ((await delivery(url()).catch(() => 0)) === OK) return true
    await pause(BETWEEN_SENDINGS_MS)
  }
  return false
}

interface Leg {
  sid: string
  call: number
  status: string
}

async function legsOf(service: ServiceUnderStorm | undefined, calls: readonly Call[]): Promise<Map<string, Leg>> {
  const sids = calls.flatMap(({ parent, child }) => [parent, child])
  const rows = await service?.call<{ sid: string; call: [number, string] | false; status: string }[]>(
    'connect.channel',
    'search_read',
    { domain: [['sid', 'in', sids]], fields: ['sid', 'call', 'status'], limit: sids.length * 2 },
  )
  return new Map(
    (rows ?? []).map(({ sid, call, status }) => [sid, { sid, call: call === false ? 0 : call[0], status }]),
  )
}

/** Compares what was reported with what is there, once all of it is worked off. */
async function account(service: ServiceUnderStorm | undefined, calls: readonly Call[]): Promise<Tally> {
  if (service === undefined) return { ...calm(), wrong: 1 }
  const isWorkedOff = await eventually(() => service.isWorkedOff(), RECOVERY_MS)
  const legs = await legsOf(service, calls)
  const messages = await service.countBy(
    'connect.message',
    'message_sid',
    calls.map(({ message }) => message),
  )
  const made = [...legs.values()].map(({ call }) => call)
  const tickets = await service.call<{ made_in_call: [number, string] }[]>('helpdesk.ticket', 'search_read', {
    domain: [['made_in_call', 'in', made]],
    fields: ['made_in_call'],
    limit: made.length * 2,
  })
  const ticketsOf = Map.groupBy(tickets, ({ made_in_call: [call] }) => call)
  const tally = { ...calm(), of: calls.length, wrong: isWorkedOff ? 0 : 1 }
  for (const { parent, child, message } of calls) {
    const found = [legs.get(parent), legs.get(child)].filter((leg) => leg !== undefined)
    const counts = [messages.get(message) ?? 0, ticketsOf.get(found[0]?.call ?? 0)?.length ?? 0]
    const harm = harmOf(found, counts)
    if (harm !== undefined) tally[harm] += 1
  }
  return tally
}

function harmOf(legs: readonly Leg[], counts: readonly number[]): 'lost' | 'doubled' | 'wrong' | undefined {
  if (legs.length < 2 || counts.includes(0)) return 'lost'
  if (new Set(legs.map(({ call }) => call)).size > 1 || counts.some((count) => count > 1)) return 'doubled'
  return legs.some(({ status }) => status !== 'completed') ? 'wrong' : undefined
}

/** How often transactions waited for each other in a circle since the server was started; each was ended by it. */
function deadlocksOn(url: string): Promise<number> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ deadlocks: string }>(
      'select sum(deadlocks) as deadlocks from pg_stat_database',
    )
    return Number(rows[0]?.deadlocks)
  })
}

async function onServer<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
