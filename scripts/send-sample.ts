// Sends a delivery of samples/ to the running service, signed as the voice-agent platform signs it, and reads back over
// the API what became of it.
//
//   npm run sample -- [transcription|audio|failure] [--conversation conv_1] [--url http://127.0.0.1:8080]
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ADDRESS_FILE, LOCAL_KEY_FILE } from '../src/app/data-files.ts'
import { createOutput } from '../src/cli/terminal/output.ts'
import { ConfigError, readConfig } from '../src/config.ts'
import { asError } from '../src/errors.ts'
import { sampleUntil } from './sample-time.ts'

const KINDS = ['transcription', 'audio', 'failure']
const SECRET_FIELD = 'voiceai_post_call_webhook_secret'
const ID_BYTES = 6
const SID_BYTES = 16
const MS_PER_SECOND = 1_000
/** A stored delivery is worked on at once; on a busy machine it may take a moment. */
const WORKED_ON_TIMEOUT_MS = 10_000
const LOOK_EVERY_MS = 200

const CALL_FIELDS = [
  'direction',
  'status',
  'caller',
  'called',
  'partner',
  'duration_human',
  'voiceai_conversation_id',
  'voiceai_summary',
  'error_message',
]
const RECORDING_FIELDS = ['sid', 'call', 'source', 'recording_filename', 'voiceai_transcript']

/** What went wrong, said for the person at the terminal. */
class Trouble extends Error {}

interface Service {
  url: string
  key: string
}

const output = createOutput('text', process.stdout)
const USAGE = `npm run sample -- [${KINDS.join('|')}] [--conversation conv_1] [--url http://127.0.0.1:8080]`
const { values, positionals } = readArguments()

await main(positionals[0] ?? 'transcription').catch((thrown: unknown) => {
  const error = asError(thrown)
  const isExpected = error instanceof Trouble || error instanceof ConfigError
  process.stderr.write(`${isExpected ? error.message : (error.stack ?? error.message)}\n`)
  process.exitCode = 1
})

/** What was typed. Asked for help, or mistyped, it says how it is used and ends. */
function readArguments() {
  const text = { type: 'string' } as const
  try {
    const options = { conversation: text, url: text, help: { type: 'boolean', short: 'h' } } as const
    const typed = parseArgs({ options, allowPositionals: true })
    if (typed.values.help !== true) return typed
    process.stdout.write(`${USAGE}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${asError(error).message}\n${USAGE}\n`)
    process.exit(2)
  }
}

async function main(kind: string): Promise<void> {
  if (!KINDS.includes(kind)) throw new Trouble(`There is no sample "${kind}"; there are ${KINDS.join(', ')}.`)
  const service = await findService()
  const secret = await ensureSecret(service)
  const conversation = values.conversation ?? `conv_${randomBytes(ID_BYTES).toString('hex')}`
  await deliver(service, readSample(kind, conversation), secret)
  output.say(`Sent the sample "${kind}" as conversation ${conversation}; the service answered 200.`)
  await readBack(service, conversation)
}

/** The running service: the address given, else the one it wrote into its data folder, and the key of local scripts. */
async function findService(): Promise<Service> {
  const { dataDir, host, port } = readConfig()
  const url = (values.url ?? readText(path.join(dataDir, ADDRESS_FILE)) ?? `http://${host}:${port}`).replace(/\/+$/, '')
  const isAlive = await fetch(`${url}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  )
  if (!isAlive) throw new Trouble(`Connect does not answer at ${url}: start it with npm start, or name it with --url.`)
  const keyFile = path.join(dataDir, LOCAL_KEY_FILE)
  const key = readText(keyFile)
  if (key === undefined) {
    throw new Trouble(`${keyFile} cannot be read: set DATA_DIR to the data folder of the service, or use its account.`)
  }
  return { url, key }
}

/** The secret deliveries are signed with; a random one where none is set, because no provider has been set up yet. */
async function ensureSecret(service: Service): Promise<string> {
  type Settings = { [SECRET_FIELD]: string | null }
  const { made } = await call<{ made: boolean }>(service, 'connect.settings/voiceai_ensure_post_call_secret', {})
  if (made)
    output.say('No post-call secret was set, so a random one is now. Synchronising with the platform replaces it.')
  const [settings] = await call<Settings[]>(service, 'connect.settings/search_read', { fields: [SECRET_FIELD] })
  if (settings === undefined) throw new Trouble('The service has no settings.')
  if (settings[SECRET_FIELD] === null) throw new Trouble('The service has no post-call secret.')
  return settings[SECRET_FIELD]
}

/** The delivery as one line of JSON; each run is a conversation and a call of its own, and has ended just now. */
function readSample(kind: string, conversation: string): string {
  const text = readFileSync(path.join(import.meta.dirname, '..', 'samples', `${kind}.json`), 'utf8')
  const fresh = text.replaceAll('conv_sample', conversation).replaceAll('CAsample', `CA${sid()}`)
  return JSON.stringify(JSON.parse(sampleUntil(fresh, new Date())))
}

function sid(): string {
  return randomBytes(SID_BYTES).toString('hex')
}

async function deliver({ url }: Service, body: string, secret: string): Promise<void> {
  const time = Math.floor(Date.now() / MS_PER_SECOND)
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const reply = await fetch(`${url}/connect_voiceai/post_call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'Voiceai-Signature': `t=${time},v0=${digest}` },
    body,
  })
  if (reply.status !== 200) throw new Trouble(`The service answered ${reply.status}: ${await reply.text()}`)
}

async function readBack(service: Service, conversation: string): Promise<void> {
  const find = (model: string, field: string, fields: string[]) =>
    call<object[]>(service, `${model}/search_read`, { domain: [[field, '=', conversation]], fields })
  const end = performance.now() + WORKED_ON_TIMEOUT_MS
  for (;;) {
    const calls = await find('connect.call', 'voiceai_conversation_id', CALL_FIELDS)
    const recordings = await find('connect.recording', 'sid', RECORDING_FIELDS)
    if (calls.length + recordings.length > 0) return show(calls, recordings)
    if (performance.now() > end) throw new Trouble('It is kept, but not worked on yet: see connect.inbox.')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

function show(calls: readonly object[], recordings: readonly object[]): void {
  for (const [model, records] of Object.entries({ 'connect.call': calls, 'connect.recording': recordings })) {
    output.say(`\n${model}${records.length === 0 ? ': none' : ''}`)
    for (const record of records) output.value(indented(record))
  }
}

/** Lines of a text below one another, where the first one stands. */
function indented(record: object): object {
  const indent = ' '.repeat(Math.max(...Object.keys(record).map((name) => name.length)) + 2)
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll('\n', `\n${indent}`) : value,
  ])
  return Object.fromEntries(entries)
}

async function call<Result>({ url, key }: Service, method: string, args: object): Promise<Result> {
  const reply = await fetch(`${url}/json/2/${method}`, {
    method: 'POST',
    headers: { authorization: `bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  })
  const body: unknown = await reply.json()
  if (reply.ok) return body as Result
  if (reply.status === 401) {
    throw new Trouble(`The service at ${url} does not know this key: set DATA_DIR to the data folder of that service.`)
  }
  const said = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
  throw new Trouble(`${method} was answered ${reply.status}: ${said}`)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
