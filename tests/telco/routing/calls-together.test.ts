// Calls that come in at the same time are decided together; each gets what it would have got alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userCallAction } from '../../../src/telco/routing/decide/call-actions.ts'
import { routeNumber } from '../../../src/telco/routing/decide/destination.ts'
import type { Route } from '../../../src/telco/routing/decide-calls.ts'
import { DialPlans } from '../../../src/telco/routing/dial-plans.ts'
import { GatheredRecords } from '../../../src/telco/webhooks/gathered-records.ts'
import { rowAt } from '../../../src/telco/webhooks/table.ts'
import { recordStatements } from '../../support/plans.ts'
import { type CallOptions, Exchange, MAIN_NUMBER } from './exchange.ts'

const AGENT_NUMBER = '+14155550198'
const MENU_NUMBER = '+14155550197'

let exchange: Exchange
let alice = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  alice = await exchange.user('alice', { sip_enabled: true, client_enabled: true })
  await exchange.number(MAIN_NUMBER, { destination: 'user', user: alice })
  const agent = await exchange.agent({ agent_uid: 'agent_together', connect_method: 'sip' })
  await exchange.number(AGENT_NUMBER, { destination: 'voiceai_agent', voiceai_agent: agent })
  const menu = await exchange.flow({ prompt_message: 'Press a key.', gather_input: true })
  await exchange.number(MENU_NUMBER, { destination: 'callflow', callflow: menu })
})
afterAll(() => exchange.stop())

/** A route that answers calls of the ledger, as the webhooks do. */
function gathering(route: Route) {
  const { db, app } = exchange.app
  const { platform } = app
  const plans = new DialPlans({ db, settings: platform.settings, log: platform.log })
  const records = new GatheredRecords(db.kind, (env) => plans.inForce(env))
  return ({ callId, ...request }: Awaited<ReturnType<Exchange['request']>>) => {
    known.set(request, callId)
    const row = { ...rowAt('/number'), route: () => route, record: findKnown }
    return records.recordRequest(row, { open: exchange.open, request })
  }
}

const known = new Map<object, number | undefined>()
const findKnown = async (_env: unknown, requests: readonly object[]) =>
  requests.map((request) => ({ callId: known.get(request) }))

/** Asks for all of them at once, and answers what each was told. */
async function together(route: Route, options: readonly CallOptions[]): Promise<PromiseSettledResult<string>[]> {
  const decide = gathering(route)
  const requests = await Promise.all(options.map((each) => exchange.request(each)))
  return Promise.allSettled(
    requests.map(async (request) => {
      const { plan } = await decide(request)
      if (plan === undefined) throw new Error('nothing was decided')
      return plan.kind === 'markup' ? plan.markup : plan.otherwise
    }),
  )
}

const heard = (results: readonly PromiseSettledResult<string>[]): string[] =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))

describe('calls that come in at the same time', () => {
  test('calls at the same time to different numbers each get their own answer', async () => {
    const numbers = [MAIN_NUMBER, AGENT_NUMBER, MENU_NUMBER, '+14155550000']
    const options = Array.from({ length: 12 }, (_, nth) => ({
      form: { From: `+1415555${1000 + nth}`, To: numbers[nth % numbers.length] ?? '' },
    }))
    const answers = heard(await together(routeNumber, options))
    for (const [nth, answer] of answers.entries()) {
      const from = `+1415555${1000 + nth}`
      const wanted = [`callerId="${from}"`, 'sip:agent_together@', 'Press a key.', 'not a number'][nth % numbers.length]
      if (nth % numbers.length === 3) expect(answer).toMatch(/^<Response><Say/)
      else expect(answer).toContain(wanted)
      if (nth % numbers.length === 0) expect(answer).toContain(`<Parameter name="From" value="${from}"/>`)
    }
  })

  test('ten calls at the same time ask the database no more often than two', async () => {
    const ten = Array.from({ length: 10 }, () => ({}))
    const requests = await Promise.all(ten.map((each) => exchange.request(each)))
    const decide = gathering(routeNumber)
    const ran = await recordStatements(exchange.app.db, () => Promise.all(requests.map(decide)))
    for (const name of ['dial_plan_version', 'dial_plan_load', 'routing_call_facts', 'ring_mark']) {
      const times = ran.filter((each) => each.name === name).length
      expect(times, name).toBeGreaterThan(0)
      expect(times, name).toBeLessThanOrEqual(2)
    }
  })

  test('the same end reported several times at once moves one step on, and each hears the same', async () => {
    const callId = await exchange.call()
    await exchange.toNumber({ callId })
    const end = { callId, record: alice, form: { CallStatus: 'in-progress', DialCallStatus: 'no-answer' } }
    const sid = `CA${'e'.repeat(32)}`
    const reported = { ...end, form: { ...end.form, DialCallSid: sid } }
    const answers = heard(await together(userCallAction, [reported, reported, reported]))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('<Sip')
    expect(await exchange.tried(callId)).toEqual(['client', 'sip'])
  })

  test('a call that cannot be decided fails alone', async () => {
    const failing: Route = (context, request) => {
      const plan = routeNumber(context)
      // The database refuses a key that is no id.
      const refused = { does: 'mark-tried', call: Number.NaN, step: 1 } as const
      return request.form.From === '+14155559999' ? { ...plan, effects: [refused] } : plan
    }
    const results = await together(failing, [{}, { form: { From: '+14155559999' } }, {}])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    for (const nth of [0, 2]) expect(heard(results)[nth]).toContain('<Client')
  })

  test('an answer that is too long is replaced by a sentence for that call alone', async () => {
    const asked: Route = (context, request) =>
      request.form.From === '+14155558888'
        ? { kind: 'verbs', verbs: [{ name: 'Say', attributes: {}, children: ['x'.repeat(70_000)] }], effects: [] }
        : routeNumber(context)
    const answers = heard(await together(asked, [{}, { form: { From: '+14155558888' } }, {}]))
    expect(answers[1]).toMatch(/^<Response><Say>[^<]{1,200}<\/Say><Hangup\/><\/Response>$/)
    for (const nth of [0, 2]) expect(answers[nth]).toContain('<Client')
  })
})
