// The process is started while its database is away, and the database comes back later.
import path from 'node:path'
import { aConversationId, aTranscript, sign } from '../tests/fixtures/post-call.ts'
import { type Received, sendRequest } from '../tests/support/http.ts'
import { ACCOUNT_SID, askSigned, aVoiceRequest } from '../tests/support/telco.ts'
import { areWorkedOff, countAcknowledged } from './account.ts'
import { aCallSid, ring } from './callers.ts'
import { POST_CALL, sendPostCalls } from './deliveries.ts'
import { AGENT_TOKEN, ServiceUnderStorm } from './service.ts'
import { addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { requireServer } from './storm-database.ts'

const AWAY_MS = 10_000
const RECOVERY_MS = 120_000
const ASK_EVERY_MS = 200
const JSON_BODY = { 'content-type': 'application/json' }
const WRONG = 'x'.repeat(32)

/** It listens first; what it acknowledges before it has ever seen its database is there when that is back. */
export async function startInOutage(weather: Weather): Promise<Tally> {
  const server = await requireServer(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl: server.url }
  let service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  // Its settings are on disk then: what was changed a moment before a `kill -9` may not be.
  await service.stop()
  return rounds(weather, async () => {
    await service.stop('SIGKILL')
    await server.halt()
    const began = performance.now()
    const started = await ServiceUnderStorm.listening(starting)
    service = started
    const listensMs = performance.now() - began
    let isOver = false
    const url = (): string => started.url
    const until = (): boolean => isOver
    const sending = Promise.all([sendPostCalls({ url, until }), ring({ url, until }), askForTheRest(started, until)])
    await pause(AWAY_MS * weather.size)
    isOver = true
    const [sent, heard, rest] = await sending
    const backlog = started.spooled.length
    await server.resume()
    const resumed = performance.now()
    await eventually(() => started.isReady(), RECOVERY_MS)
    const readyMs = performance.now() - resumed
    await eventually(() => areWorkedOff([started]), RECOVERY_MS)
    const workedOffMs = performance.now() - resumed
    const tally = await countAcknowledged({ services: [started], sent, heard, expected: ['200'] })
    const legs = await countOnce(started, 'connect.channel', 'sid', [...heard.answered, ...rest.reported])
    const texts = await countOnce(started, 'connect.message', 'message_sid', rest.texted)
    const forged = (await started.countBy('connect.call', 'voiceai_conversation_id', rest.forged)).size
    const surprises = [...new Set(rest.surprises)]
    const remark = [`${backlog} waited on disk`, ...surprises.map((surprise) => `surprise: ${surprise}`)].join('; ')
    const wrong = rest.surprises.length + forged
    const more = { ...calm(), wrong, figures: { listensMs, readyMs, workedOffMs }, remark }
    return [legs, texts, more].reduce(addTally, tally)
  })
}

interface Rest {
  /** Legs that were reported, texts that came in, and conversations that somebody else made up. */
  reported: string[]
  texted: string[]
  forged: string[]
  /** Answers that were not as promised. */
  surprises: string[]
}

/** Reports and texts, tools, the API, health, and strangers; each is asked for in turn. */
async function askForTheRest(service: ServiceUnderStorm, until: () => boolean): Promise<Rest> {
  const rest: Rest = { reported: [], texted: [], forged: [], surprises: [] }
  const { url, key } = service
  const expectStatus = async (what: string, status: number, asking: Promise<Received>, says = ''): Promise<boolean> => {
    const answer = await asking.catch(() => undefined)
    const isFine = answer?.status === status && answer.text.includes(says)
    if (!isFine) rest.surprises.push(`${what}: ${answer === undefined ? 'no answer' : answer.status}`)
    return isFine
  }
  const post = (target: string, body: string, headers: Record<string, string>): Promise<Received> =>
    sendRequest(url + target, { method: 'POST', headers: { ...JSON_BODY, ...headers }, body })
  const askTool = (token: string): Promise<Received> =>
    post('/connect_voiceai/get_current_date', '{}', { 'x-voiceai-agent-token': token })
  while (!until()) {
    const [leg, text, forged] = [aCallSid(), aCallSid().replace('CA', 'SM'), aConversationId()]
    const report = aVoiceRequest({ CallSid: leg, CallStatus: 'completed', CallDuration: '3' })
    if (await expectStatus('report', 200, askSigned(url, '/telco/webhook/callstatus', report))) rest.reported.push(leg)
    const parties = { From: '+14155550100', To: '+14155550199' }
    const message = { MessageSid: text, AccountSid: ACCOUNT_SID, ...parties, Body: 'Hi', SmsStatus: 'received' }
    if (await expectStatus('text', 200, askSigned(url, '/telco/webhook/message', message))) rest.texted.push(text)
    await expectStatus('tool', 503, askTool(AGENT_TOKEN), 'error')
    await expectStatus('tool with another token', 401, askTool(WRONG))
    await expectStatus('API', 503, post('/json/2/connect.call/search', '{}', { authorization: `bearer ${key}` }))
    await expectStatus('readyz', 503, sendRequest(`${url}/readyz`))
    const options = { token: WRONG }
    await expectStatus('forged report', 200, askSigned(url, '/telco/webhook/callstatus', report, options), 'False')
    const body = JSON.stringify(aTranscript({ conversationId: forged }))
    const headers = { 'voiceai-signature': sign(body, { secret: WRONG }) }
    await expectStatus('forged delivery', 401, post(POST_CALL, body, headers))
    rest.forged.push(forged)
    await pause(ASK_EVERY_MS)
  }
  return rest
}

/** What was acknowledged is there, once. */
async function countOnce(service: ServiceUnderStorm, model: string, field: string, ids: string[]): Promise<Tally> {
  const found = await service.countBy(model, field, ids)
  const lost = ids.filter((id) => !found.has(id)).length
  const doubled = ids.filter((id) => (found.get(id) ?? 0) > 1).length
  return { ...calm(), of: ids.length, lost, doubled }
}
