// An empty record, and one of values of no kind, is refused with a sentence by every model to everybody.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let callers: Record<string, Caller>

beforeAll(async () => {
  app = await TestApp.start()
  callers = {
    everything: app.admin,
    webhooks: await app.webhookUser(),
    'a login of webhooks': await app.person(['connect.group_webhook']),
    administrator: await app.person(['connect.group_admin']),
    user: await app.person(['connect.group_user']),
    manager: await app.person(['base.group_erp_manager']),
    'helpdesk user': await app.person(['helpdesk.group_user']),
    'helpdesk manager': await app.person(['helpdesk.group_manager']),
    public: await app.person(['base.group_public']),
  }
})
afterAll(() => app.stop())

const ODD: Record<string, unknown> = {
  null: null,
  true: true,
  'a text': 'odd',
  'a number': -1,
  'a list of ids': [1, 'x'],
  'an object': { odd: 1 },
}

function models(): string[] {
  return [...app.app.platform.models].map(({ name }) => name)
}

function fieldsOf(model: string): string[] {
  return Object.keys(app.app.platform.models.get(model).fields)
}

function shown(what: string, answer: Answer): string {
  return `${what}: ${answer.status} ${answer.text.slice(0, 300)}`
}

const BROKEN_MIN = 500

describe.each([
  'everything',
  'webhooks',
  'a login of webhooks',
  'administrator',
  'user',
  'manager',
  'helpdesk user',
  'helpdesk manager',
  'public',
])('an empty record is refused for %s', (who) => {
  const call = (model: string, method: string, args: object): Promise<Answer> => {
    const caller = callers[who]
    if (caller === undefined) throw new Error(`there is no ${who}`)
    return caller.call(model, method, args)
  }

  it(`an empty record is forbidden, or refused by name, for ${who}`, async () => {
    const wrong: string[] = []
    for (const model of models()) {
      for (const vals of [{}, [{}], []]) {
        const answer = await call(model, 'create', { vals_list: vals })
        const isSaid = answer.status !== 422 || answer.text.includes('required') || answer.text.includes('needs')
        const isMade = answer.status === 200 && JSON.stringify(vals) !== '[]'
        if (![200, 403, 404, 409, 422].includes(answer.status) || !isSaid || isMade)
          wrong.push(shown(`${model} ${JSON.stringify(vals)}`, answer))
      }
    }
    expect(wrong).toEqual([])
  })

  // The others may do no more than these.
  if (!['everything', 'webhooks', 'user'].includes(who)) return
  it(`values of no kind are never more than refused, for ${who}`, async () => {
    const wrong: string[] = []
    for (const model of models()) {
      const found = await call(model, 'search', { limit: 1 })
      const ids = Array.isArray(found.body) && found.body.length > 0 ? found.body : [1]
      for (const [name, value] of Object.entries(ODD)) {
        const vals = Object.fromEntries(fieldsOf(model).map((field) => [field, value]))
        const answers = [
          await call(model, 'create', { vals_list: vals }),
          await call(model, 'write', { ids, vals: { ...vals, nothing_of_that_name: value } }),
          await call(model, 'create', { vals_list: value }),
          await call(model, 'write', { ids, vals: value }),
          await call(model, 'write', { ids: value, vals: {} }),
        ]
        wrong.push(
          ...answers.filter(({ status }) => status >= BROKEN_MIN).map((each) => shown(`${model} ${name}`, each)),
        )
      }
    }
    expect(wrong).toEqual([])
  })
})
