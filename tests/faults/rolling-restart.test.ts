// Two servers and a worker on one PostgreSQL, restarted one after the other while deliveries arrive: what an upgrade does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aConversationId, adoptSecret, aTranscript, sign } from '../fixtures/post-call.ts'
import { SERVER_URL } from '../support/database.ts'
import { sendRequest } from '../support/http.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { ACCOUNT_SID, AUTH_TOKEN, askSigned, PUBLIC_URL } from '../support/telco.ts'
import { callback, newSid } from '../support/telco-office.ts'
import { eventually } from '../support/test-app.ts'

const TEST_TIMEOUT_MS = 400_000
/** Deliveries that arrive while a process is away, and after it is back. */
const DELIVERIES_BETWEEN = 5
const NEEDS_SERVER = 'needs PostgreSQL: the embedded database serves one process'

interface Answered {
  status: number
  text: string
}

/** As a proxy in front does it: a server that does not answer is left out, and the delivery goes to the other server. */
class Front {
  /** How many of each kind were answered. */
  conversations = 0
  legs = 0
  readonly refused: Answered[] = []
  #servers: ServiceProcess[] = []
  #turn = 0
  #isOver = false

  use(...servers: ServiceProcess[]): void {
    this.#servers = servers
  }

  /** Sends one delivery after the other until `end`. */
  async send(): Promise<void> {
    while (!this.#isOver) {
      const conversationId = aConversationId()
      const body = JSON.stringify(aTranscript({ conversationId }))
      const headers = { 'content-type': 'application/json', 'voiceai-signature': sign(body) }
      const target = '/connect_voiceai/post_call'
      await this.#deliver((url) => sendRequest(url + target, { method: 'POST', headers, body }))
      this.conversations += 1
      const report = callback({ sid: newSid() }, 'completed')
      await this.#deliver((url) => askSigned(url, '/telco/webhook/callstatus', report))
      this.legs += 1
    }
  }

  /** Resolves when so many more were answered. */
  async more(): Promise<void> {
    const enough = this.legs + DELIVERIES_BETWEEN
    await eventually(async () => this.legs >= enough)
  }

  end(): void {
    this.#isOver = true
  }

  async #deliver(ask: (url: string) => Promise<Answered>): Promise<void> {
    this.#turn += 1
    for (const at of [0, 1]) {
      const server = this.#servers[(this.#turn + at) % this.#servers.length]
      const answer = server === undefined ? undefined : await ask(server.url).catch(() => undefined)
      if (answer === undefined) continue
      if (answer.status !== 200) this.refused.push(answer)
      return
    }
    this.refused.push({ status: 0, text: 'no server answered' })
  }
}

let places: Place[] = []
let front: Front

beforeEach(async ({ skip }) => {
  skip(SERVER_URL === undefined, NEEDS_SERVER)
  places = [await Place.prepared(), await Place.empty(), await Place.empty()]
})
afterEach(async () => {
  front?.end()
  for (const place of places) await place.remove()
})

/** What each of the three processes is started with: a data folder of its own, and the rest in common. */
function envOf(at: number): Record<string, string> {
  const [first, own] = [places[0], places[at]]
  if (first === undefined || own === undefined) throw new Error('there are three')
  return { ...first.env, DATA_DIR: own.dataDir, MEDIA_DIR: `${first.dataDir}/media`, WORKER: 'off', LOG_LEVEL: 'fatal' }
}

async function startWorker(): Promise<ServiceProcess> {
  const worker = ServiceProcess.startWorker({ ...envOf(2), WORKER: 'on' })
  await eventually(async () => worker.out.includes('Connect works on jobs of '))
  return worker
}

describe('two servers and a worker', { timeout: TEST_TIMEOUT_MS }, () => {
  it('two servers and a worker are restarted one after the other, and no delivery is refused or lost', async () => {
    let one = await ServiceProcess.start(envOf(0))
    const key = places[0]?.localKey ?? ''
    await one.call(key, 'connect.settings', 'write', {
      ids: await one.call(key, 'connect.settings', 'search'),
      vals: {
        auth_token: AUTH_TOKEN,
        account_sid: ACCOUNT_SID,
        api_url: PUBLIC_URL,
      },
    })
    await adoptSecret((...asked) => one.call(key, ...asked))
    let two = await ServiceProcess.start(envOf(1))
    let worker = await startWorker()
    front = new Front()
    front.use(one, two)
    const sending = front.send()
    await front.more()

    expect(await one.stop()).toBe(0)
    await front.more()
    one = await ServiceProcess.start(envOf(0))
    front.use(one, two)
    await front.more()
    expect(await two.stop()).toBe(0)
    await front.more()
    two = await ServiceProcess.start(envOf(1))
    front.use(one, two)
    expect(await worker.stop()).toBe(0)
    await front.more()
    worker = await startWorker()
    await front.more()
    front.end()
    await sending

    expect(front.refused).toEqual([])
    const { conversations, legs } = front
    const count = (model: string, field: string) =>
      one.call<number>(key, model, 'search_count', { domain: [[field, '!=', false]] })
    await eventually(async () => (await count('connect.call', 'voiceai_conversation_id')) === conversations)
    await eventually(async () => (await count('connect.channel', 'sid')) === legs)
    for (const process of [one, two, worker]) expect(await process.stop()).toBe(0)
  })
})
