// Agents hand callers over while the process is killed between claim, redirect and answer, and the phone provider fails.
import path from 'node:path'
import { sendRequest } from '../tests/support/http.ts'
import { aVoiceRequest, sendSigned } from '../tests/support/telco.ts'
import { aCallSid, VOICE_ROUTE } from './callers.ts'
import { type Mishap, MovingProvider } from './moving-provider.ts'
import { AGENT_TOKEN, ServiceUnderStorm } from './service.ts'
import { addStatuses, addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { stormDatabase } from './storm-database.ts'

const TRANSFER = '/connect_voiceai/transfer'
const EXTENSIONS = ['101', '102'] as const
const CALLERS = 24
/** Callers who are handed over at the same time. */
const AT_ONCE = 8
/** What befalls the redirects of a round, in an order of chance; the rest goes well. */
const MISHAPS: readonly Mishap[] = [
  ...(['killed before', 'killed before', 'killed after'] as const),
  ...(['refused', 'refused', 'refused', 'unheard', 'unheard', 'not reached', 'not reached'] as const),
]
const PATIENCE_MS = 120_000
const AGAIN_MS = 200
/** No answer, a call that is not known yet, a redirect that was refused, and what is not available. */
const MAY_BE_ASKED_AGAIN: ReadonlySet<string> = new Set(['none', '404', '409', '503'])

interface Answered {
  status: string
  isDone: boolean
  tookMs: number
}

/** Anyone who is told "Transfer Successful" has a caller who was moved; asking again then moves nobody. */
export async function killedTransfer(weather: Weather): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  let service: ServiceUnderStorm | undefined
  const provider = await MovingProvider.start(weather, () => service?.child.kill('SIGKILL'))
  const env = { TELCO_BASE_URL: provider.url }
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl, env }
  weather.afterwards(() => service?.stop('SIGKILL'))
  service = await ServiceUnderStorm.start(starting)
  await publishExtensions(await service.setUp())
  const url = (): string => service?.url ?? ''
  return rounds(weather, async () => {
    provider.mishaps = shuffled(Array.from({ length: weather.size }, () => MISHAPS).flat())
    const waiting = Array.from({ length: CALLERS * weather.size }, aCallSid)
    let isOver = false
    let tally = calm()
    const agent = async (): Promise<void> => {
      for (let sid = waiting.pop(); sid !== undefined; sid = waiting.pop()) {
        const handedOver = await handOver({ url, provider, sid })
        tally = addTally(tally, handedOver)
      }
    }
    const agents = Promise.all(Array.from({ length: AT_ONCE }, agent)).finally(() => {
      isOver = true
    })
    let readyMs = 0
    while (!isOver) {
      if (service?.hasEnded) {
        const killed = performance.now()
        service = await ServiceUnderStorm.start(starting)
        readyMs = Math.max(readyMs, performance.now() - killed)
      }
      await pause(AGAIN_MS)
    }
    await agents
    return addTally(tally, { ...calm(), figures: readyMs === 0 ? {} : { readyMs } })
  })
}

/** Each says its own number to the caller. */
async function publishExtensions(service: ServiceUnderStorm): Promise<void> {
  for (const number of EXTENSIONS) {
    const vals = { name: number, markup: `<Response><Say>extension ${number}</Say></Response>` }
    const markup = await service.call<number>('connect.telco.markup', 'create', { vals_list: vals })
    const extension = { number, model: 'connect.telco.markup', res_id: markup, is_published: true }
    await service.call('connect.telco.exten', 'create', { vals_list: extension })
  }
}

interface HandOver {
  url(): string
  provider: MovingProvider
  sid: string
}

/** One caller: rings, and is handed over by an agent who asks until it is done, and once more after that. */
async function handOver({ url, provider, sid }: HandOver): Promise<Tally> {
  const extension = EXTENSIONS[Math.floor(Math.random() * EXTENSIONS.length)] ?? ''
  const voiceRequest = aVoiceRequest({ CallSid: sid, CallStatus: 'in-progress' })
  await eventually(async () => (await sendSigned(url(), VOICE_ROUTE, voiceRequest)) === 200, PATIENCE_MS)
  const tally = { ...calm(), of: 1 }
  let statuses = new Map<string, number>()
  let longestMs = 0
  const began = performance.now()
  const ask = async (): Promise<Answered> => {
    const answered = await transfer(url(), sid, extension)
    statuses = addStatuses(statuses, new Map([[answered.status, 1]]))
    longestMs = Math.max(longestMs, answered.tookMs)
    if (answered.isDone && !isAt(provider, sid, extension)) tally.lost = 1
    if (!answered.isDone && !MAY_BE_ASKED_AGAIN.has(answered.status)) tally.wrong += 1
    return answered
  }
  const isDone = await eventually(async () => (await ask()).isDone, PATIENCE_MS)
  const movedMs = performance.now() - began
  const moves = provider.movesOf(sid).length
  await ask()
  if (isDone && provider.movesOf(sid).length > moves) tally.doubled = 1
  if (!isDone) tally.wrong += 1
  return { ...tally, statuses, figures: { longestMs, movedMs } }
}

async function transfer(url: string, sid: string, extension: string): Promise<Answered> {
  const headers = { 'content-type': 'application/json', 'x-voiceai-agent-token': AGENT_TOKEN }
  const body = JSON.stringify({ channel_sid: sid, exten: extension })
  const asked = performance.now()
  const answer = await sendRequest(url + TRANSFER, { method: 'POST', headers, body }).catch(() => undefined)
  const tookMs = performance.now() - asked
  if (answer === undefined) return { status: 'none', isDone: false, tookMs }
  return { status: String(answer.status), isDone: answer.text.includes('Transfer Successful'), tookMs }
}

function isAt(provider: MovingProvider, sid: string, extension: string): boolean {
  return provider.movesOf(sid).at(-1)?.includes(`extension ${extension}`) === true
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
