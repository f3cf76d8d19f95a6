// Strangers who send as much as they can, until they are told to stop.
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { sendRequest } from '../tests/support/http.ts'

export interface FloodOrder {
  url: string
  flooders: number
}

export interface Flooded {
  requests: number
  statuses: [string, number][]
}

/** Connections that are opened and then say nothing. */
const SILENT_CONNECTIONS = 200
const KILOBYTE = 1024
const FIELDS = 50_000
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }
const BAD_SIGNATURE = `t=${Math.floor(Date.now() / 1_000)},v0=${'0'.repeat(64)}`

interface Attack {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

const MANY_FIELDS = Array.from({ length: FIELDS }, (_, at) => `f${at}=%41`).join('&')
const ATTACKS: readonly Attack[] = [
  { path: '/telco/webhook/callstatus', headers: FORM, body: MANY_FIELDS },
  {
    path: '/telco/webhook/number',
    headers: { ...FORM, 'x-telco-signature': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
    body: 'a=b',
  },
  {
    path: '/telco/webhook/callstatus',
    headers: { ...FORM, 'x-telco-signature': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
    body: MANY_FIELDS,
  },
  { path: '/connect_voiceai/post_call', headers: JSON_BODY, body: `{"a":"${'x'.repeat(256 * KILOBYTE)}"}` },
  {
    path: '/connect_voiceai/post_call',
    headers: { ...JSON_BODY, 'voiceai-signature': BAD_SIGNATURE },
    body: `{"a":"${'x'.repeat(256 * KILOBYTE)}"}`,
  },
  { path: '/connect_voiceai/post_call', headers: { ...JSON_BODY, 'voiceai-signature': BAD_SIGNATURE }, body: '{}' },
  { path: '/connect_voiceai/get_current_date', headers: JSON_BODY, body: '['.repeat(10 * KILOBYTE) },
  {
    path: '/connect_voiceai/create_ticket',
    headers: { ...JSON_BODY, 'x-voiceai-agent-token': 'guessed' },
    body: '{"title":"x"}',
  },
  { path: '/json/2/res.partner/search', headers: { ...JSON_BODY, authorization: 'bearer guessed' }, body: '{}' },
  { path: '/api/openapi.json', method: 'GET' },
  { path: '/metrics', method: 'GET', headers: { 'x-forwarded-for': '203.0.113.7' } },
]
/** Pages for everybody, which strangers are let in to. */
const PUBLIC_PATHS = new Set(['/api/openapi.json'])

let isOver = false

async function flood({ url, flooders }: FloodOrder): Promise<Flooded> {
  const { hostname, port } = new URL(url)
  const silent = Array.from({ length: SILENT_CONNECTIONS }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  )
  const statuses = new Map<string, number>()
  let requests = 0
  const flooder = async (): Promise<void> => {
    while (!isOver) {
      const { path, method = 'POST', headers = {}, body } = ATTACKS[requests % ATTACKS.length] ?? { path: '/' }
      requests += 1
      const sending = { method, headers, ...(body === undefined ? {} : { body }) }
      const status = await sendRequest(url + path, sending).then(
        (answer) => describe(path, answer),
        () => 'none',
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: flooders }, flooder))
  for (const socket of silent) socket.destroy()
  return { requests, statuses: [...statuses] }
}

/** A request that nobody signed is answered in the words of the contract with 200, so that the provider takes them. */
function describe(path: string, { status, text }: { status: number; text: string }): string {
  if (PUBLIC_PATHS.has(path)) return 'public'
  return status === 200 && (text === 'False' || text.includes('Invalid Telco request')) ? 'turned away' : String(status)
}

parentPort?.once('message', () => {
  isOver = true
})
parentPort?.postMessage(await flood(workerData as FloodOrder))
