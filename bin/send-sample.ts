// Sends one of samples/ to the running service, signed as the voice-agent platform signs, and reads back what became of it.
//   npm run sample -- [transcription|audio|failure] [--conversation conv_1]
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Connection, connect } from '../src/cli/connection.ts'
import { createOutput } from '../src/cli/output.ts'
import { readConfig } from '../src/config.ts'

const SECRET_FIELD = 'voiceai_post_call_webhook_secret'
const SECRET_BYTES = 24
const MS_PER_SECOND = 1_000
const KINDS = ['transcription', 'audio', 'failure']

const { values, positionals } = parseArgs({ options: { conversation: { type: 'string' } }, allowPositionals: true })
const kind = positionals[0] ?? 'transcription'
const output = createOutput(false)

if (KINDS.includes(kind)) await main()
else fail(`There is no sample "${kind}". The samples are: ${KINDS.join(', ')}.`)

async function main(): Promise<void> {
  const connection = await connect(readConfig())
  try {
    if (connection.address === undefined) return fail('The service does not run: start it with npm start.')
    const conversation = values.conversation ?? `conv_${randomBytes(6).toString('hex')}`
    const body = readSample(conversation)
    const status = await deliver(connection.address, body, await ensureSecret(connection))
    output.say(`Delivered ${kind} of ${conversation}: the service answered ${status}.\n`)
    await readBack(connection, conversation)
  } finally {
    await connection.close()
  }
}

function readSample(conversation: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../samples/${kind}.json`, import.meta.url)), 'utf8')
  return JSON.stringify(JSON.parse(text.replaceAll('conv_sample', conversation)))
}

/** The secret the service expects; a random one on an installation that has none yet, because no provider was set up. */
async function ensureSecret(connection: Connection): Promise<string> {
  const [settings] = await connection.call<{ id: number; [SECRET_FIELD]: string | null }[]>(
    'connect.settings',
    'search_read',
    { fields: [SECRET_FIELD] },
  )
  const known = settings?.[SECRET_FIELD]
  if (known !== null && known !== undefined) return known
  const secret = `wsec_${randomBytes(SECRET_BYTES).toString('hex')}`
  await connection.call('connect.settings', 'write', { ids: [settings?.id ?? 1], vals: { [SECRET_FIELD]: secret } })
  output.say('No post-call secret was set, so a random one is now; a sync with the provider replaces it.')
  return secret
}

async function deliver(address: string, body: string, secret: string): Promise<number> {
  const time = Math.floor(Date.now() / MS_PER_SECOND)
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const reply = await fetch(`${address}/connect_voiceai/post_call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'Voiceai-Signature': `t=${time},v0=${digest}` },
    body,
  })
  return reply.status
}

async function readBack(connection: Connection, conversation: string): Promise<void> {
  const calls = await connection.call<object[]>('connect.call', 'search_read', {
    domain: [['voiceai_conversation_id', '=', conversation]],
    fields: ['direction', 'status', 'caller', 'called', 'duration_human', 'voiceai_summary', 'error_message'],
  })
  output.say('connect.call')
  for (const call of calls) output.value(call)
  const recordings = await connection.call<object[]>('connect.recording', 'search_read', {
    domain: [['sid', '=', conversation]],
    fields: ['call', 'recording_filename', 'voiceai_transcript'],
  })
  output.say('\nconnect.recording')
  for (const recording of recordings) output.value(recording)
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
