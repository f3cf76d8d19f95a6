// Every scenario, in order and then with disorderly reports, with one request at a time on the way to the service.
import { connectEmulators } from '../../emulators/connect.ts'
import type { FaultOptions } from '../../emulators/faults.ts'
import { Problems } from '../../emulators/problems.ts'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { prepareService } from '../../emulators/scenarios/prepare.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { ServiceApi } from '../../emulators/scenarios/service-api.ts'
import { ServiceLink } from '../../emulators/service-link.ts'
import type { Emulators, EmulatorsSnapshot } from '../../emulators/start.ts'
import { startTelcoEmulator } from '../../emulators/telco/start.ts'
import { VirtualClock } from '../../emulators/virtual-clock.ts'
import { startVoiceaiEmulator } from '../../emulators/voiceai/start.ts'
import { exchange, type Recorder, type Sending } from './recorder.ts'
import { PUBLIC_URL } from './service.ts'

export const ACCOUNT_SID = 'AC00000000000000000000000000000001'
export const AUTH_TOKEN = '12345678901234567890123456789012'
export const VOICEAI_API_KEY = 'the api key of the recorder'
const SCENARIO_TIMEOUT_MS = 900_000

/** Both providers, in a time that begins where the service's stands still, with what they held before. */
export async function startProviders(
  startMs: number,
  faults: FaultOptions = {},
  held?: EmulatorsSnapshot,
): Promise<Emulators> {
  const clock = new VirtualClock({ startMs })
  const problems = new Problems()
  const shared = { clock, problems, faults }
  const telco = await startTelcoEmulator({
    ...shared,
    accountSid: ACCOUNT_SID,
    authToken: AUTH_TOKEN,
    ...(held === undefined ? {} : { restore: held.telco }),
  })
  const voiceai = await startVoiceaiEmulator({
    ...shared,
    apiKey: VOICEAI_API_KEY,
    ...(held === undefined ? {} : { restore: held.voiceai }),
  })
  connectEmulators(telco, voiceai)
  return {
    telco,
    voiceai,
    clock,
    problems,
    connectService(address) {
      telco.connectService(address)
      voiceai.connectService(address)
    },
    snapshot: () => ({ telco: telco.account.snapshot(), voiceai: voiceai.workspace.snapshot() }),
    async stop() {
      await telco.stop()
      await voiceai.stop()
    },
  }
}

interface Playing {
  recorder: Recorder
  providers: Emulators
  key: string
  /** Only these, by name; all when left out. */
  only?: readonly string[] | undefined
}

/** Enters the credentials, synchronises, and plays one scenario after the other. */
export async function playScenarios({ recorder, providers, key, only }: Playing): Promise<void> {
  const { part, service } = recorder
  const goBack = interpose(recorder)
  providers.connectService({ publicUrl: PUBLIC_URL, deliverTo: service.url })
  const api = new ServiceApi({ url: service.url, key })
  try {
    recorder.part = `${part}: prepare`
    await withinTime(recorder.part, prepareService(api, providers))
    recorder.recordRequests(providers)
    const world = { ...providers, service: api }
    for (const scenario of SCENARIOS.filter(({ name }) => only === undefined || only.includes(name))) {
      recorder.part = `${part}: ${scenario.name}`
      const { complaints } = await withinTime(recorder.part, runScenario(scenario, world))
      recorder.complaints.push(...complaints.map((complaint) => `${recorder.part}: ${complaint}`))
      recorder.recordRequests(providers)
    }
  } finally {
    goBack()
    recorder.part = part
  }
}

/** Lets every request of the providers and of the scenarios wait for its turn, and records it. */
function interpose(recorder: Recorder): () => void {
  const { send } = ServiceLink.prototype
  const { fetch } = globalThis
  ServiceLink.prototype.send = function (this: ServiceLink, request) {
    return recorder.inTurn(async () => {
      const outcome = await send.call(this, request)
      const { url, method, headers, body } = request
      const name = outcome.kind === 'answered' ? 'webhook' : `webhook failed: ${outcome.message}`
      const reply = outcome.kind === 'answered' ? outcome : { status: 0, headers: {}, body: Buffer.alloc(0) }
      recorder.note(name, url, { method, headers, body }, reply)
      return outcome
    })
  }
  globalThis.fetch = (input, init = {}) =>
    recorder.inTurn(async () => {
      const { pathname, search, origin } = new URL(String(input))
      const { method = 'GET', headers, body } = init
      const sending: Sending = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' ? { body } : {}),
      }
      const reply = await exchange(origin + pathname + search, sending)
      recorder.note('scenario', pathname + search, sending, reply)
      return new Response(reply.status === 204 ? null : new Uint8Array(reply.body), { status: reply.status })
    })
  return () => {
    ServiceLink.prototype.send = send
    globalThis.fetch = fetch
  }
}

/** The clock stands still, so nothing that waits by it ends by itself. */
async function withinTime<Result>(part: string, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${part} did not come to its end`)), SCENARIO_TIMEOUT_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
