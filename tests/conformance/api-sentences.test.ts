// What is unknown or refused is named in one sentence: method, arguments, status, sentence.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, TestApp } from '../support/test-app.ts'

const SENTENCES = String.raw`
res.partners/search       | {}                                    | 404 | There is no model "res.partners".
res.partner/destroy       | {}                                    | 404 | The model res.partner has no method "destroy".
res.lang/message_post     | {"ids":[1],"body":"x"}                | 404 | The model res.lang has no method "message_post".
res.partner/search        | {"domains":[]}                        | 422 | The method res.partner/search has no argument "domains".
res.partner/create        | {}                                    | 422 | The method res.partner/create needs the argument "vals_list".
res.partner/write         | {"vals":{}}                           | 422 | The argument "ids" names no record.
res.partner/message_post  | {"body":"x"}                          | 422 | The argument "ids" names no record.
res.groups/agent_calls    | {"ids":[],"given":true}               | 422 | The argument "ids" names no record.
res.partner/story         | {"ids":[]}                            | 422 | The argument "ids" names no record.
connect.call/callback_done | {"ids":[]}                           | 422 | The argument "ids" names no record.
connect.call/callback_undone | {"ids":[]}                         | 422 | The argument "ids" names no record.
res.partner/message_post  | {"ids":[1,2],"body":"x"}              | 422 | A message is posted on one record.
res.partner/read          | {"ids":["x"]}                         | 422 | The argument "ids" must be a list of record ids.
res.partner/read          | {"ids":[2000000000]}                  | 404 | There is no record 2000000000 in res.partner, or it is not yours to see.
res.partner/search        | {"context":"tz"}                      | 422 | The argument "context" must be a JSON object.
res.partner/search_read   | {"fields":["fone"]}                   | 422 | The model res.partner has no field "fone".
res.partner/create        | {"vals_list":{"nam":"x"}}             | 422 | 2 problems: The model res.partner has no field "nam". "res.partner.name" is required.
res.partner/fields_get    | {"allfields":["x"]}                   | 422 | The model res.partner has no field "x".
res.partner/search        | {"domain":[["fone","=",1]]}           | 422 | The model res.partner has no field "fone".
res.partner/search        | {"domain":[["parent_id.fone","=",1]]} | 422 | The model res.partner has no field "fone".
res.partner/search        | {"domain":[["name.x","=",1]]}         | 422 | "name" of res.partner is not a link.
res.partner/search        | {"domain":[["id.x","=",1]]}           | 422 | "id" of res.partner is not a link.
res.partner/search        | {"domain":[["a.b.c.d.e","=",1]]}      | 422 | The path "a.b.c.d.e" follows too many links.
res.partner/search        | {"domain":[["connect_calls_count",">",1]]} | 422 | The field "connect_calls_count" of res.partner cannot be searched.
res.partner/search        | {"domain":[["name","~","x"]]}         | 422 | The domain operator "~" is not known.
res.partner/search        | {"domain":[["id","like","x"]]}        | 422 | The operator "like" needs a text field; "res.partner.id" is not one.
res.partner/search        | {"domain":[["name","like",{}]]}       | 422 | The operator "like" on "res.partner.name" needs a text to look for.
res.partner/search        | {"domain":[["name","=like","x\\"]]}   | 422 | The pattern for "res.partner.name" ends in a backslash that stands before nothing.
res.partner/search        | {"domain":[["id","=","x"]]}           | 422 | "x" is not a whole number, which "res.partner.id" is compared with.
res.partner/search        | {"domain":[["id","in",[1,1.5]]]}      | 422 | 1.5 is not a whole number, which "res.partner.id" is compared with.
res.partner/search        | {"domain":[["name","=",{}]]}          | 422 | {} is not a text, which "res.partner.name" is compared with.
res.partner/search        | {"domain":[["active","=","no"]]}      | 422 | "no" is neither true nor false, which "res.partner.active" is compared with.
calendar.event/search     | {"domain":[["start",">","now"]]}      | 422 | "calendar.event.start" must be a date and time in UTC written YYYY-MM-DD HH:MM:SS.
calendar.event/search     | {"domain":[["start",">","0000-01-01"]]} | 422 | "calendar.event.start" must be a date and time in UTC written YYYY-MM-DD HH:MM:SS.
res.partner/search        | {"domain":[["name","="]]}             | 422 | ["name","="] is not a condition [field, operator, value].
res.partner/search        | {"domain":["|",["id","=",1]]}         | 422 | The domain has an operator with too few conditions after it.
res.partner/search        | {"order":"name; drop table"}          | 422 | "name; drop table" is not an order such as "name desc".
res.partner/search        | {"order":"fone"}                      | 422 | The model res.partner has no field "fone".
res.partner/search        | {"order":"child_ids"}                 | 422 | The field "child_ids" of res.partner cannot be sorted by.
res.partner/create        | {"vals_list":{}}                      | 422 | "res.partner.name" is required.
res.partner/create        | {"vals_list":{"name":" "}}            | 422 | "res.partner.name" is required.
res.partner/create        | {"vals_list":{"name":7}}              | 422 | "res.partner.name" must be a text.
res.partner/create        | {"vals_list":{"name":"a\u0000b"}}     | 422 | "res.partner.name" has characters that cannot be stored.
res.partner/create        | {"vals_list":{"name":"a\ud800"}}      | 422 | "res.partner.name" has characters that cannot be stored.
res.partner/create        | {"vals_list":{"name":"x","lang":"german"}} | 422 | "res.partner.lang" must be a code such as de_DE.
res.partner/create        | {"vals_list":{"name":"x","active":"yes"}}  | 422 | "res.partner.active" must be true or false.
res.partner/create        | {"vals_list":{"name":"x","parent_id":"ACME"}} | 422 | "res.partner.parent_id" must be the id of a record, or its code or name: no record of res.partner has "ACME".
res.partner/create        | {"vals_list":{"name":"x","parent_id":2000000000}} | 422 | "res.partner.parent_id" names a record of res.partner that does not exist.
res.partner/create        | {"vals_list":{"name":"x","child_ids":[5]}} | 422 | "res.partner.child_ids" is written on res.partner, through its field "parent_id", or with [0,0,{...}], [1,id,{...}] and [2,id] for its records.
res.partner/create        | {"vals_list":{"name":"x","phone_normalized":"+1"}} | 422 | The field "phone_normalized" of res.partner is set by the service.
helpdesk.ticket/create    | {"vals_list":{"name":"x","priority":"9"}} | 422 | "helpdesk.ticket.priority" must be one of: 0, 1, 2, 3.
helpdesk.stage/create     | {"vals_list":{"name":"x","sequence":1.5}} | 422 | "helpdesk.stage.sequence" must be a whole number.
helpdesk.stage/create     | {"vals_list":{"name":"x","sequence":3000000000}} | 422 | "helpdesk.stage.sequence" must be from -2147483647 to 2147483647.
calendar.event/create     | {"vals_list":{"name":"x","start":"2030-02-30","stop":"2030-03-01"}} | 422 | "calendar.event.start" must be a date and time in UTC written YYYY-MM-DD HH:MM:SS.
helpdesk.team/create      | {"vals_list":{"name":"x","member_ids":[[1,0,{}]]}} | 422 | "helpdesk.team.member_ids" has a link command that is not one of [6,0,ids], [5], [4,id], [3,id], [0,0,{...}].
helpdesk.team/create      | {"vals_list":{"name":"x","member_ids":[2000000000]}} | 422 | "helpdesk.team.member_ids" names a record of res.users that does not exist.
connect.voiceai_file/create | {"vals_list":{"text":"x","file":"***"}} | 422 | "connect.voiceai_file.file" must be base64.
connect.settings/create   | {"vals_list":{}}                      | 409 | There is one record of connect.settings already: change that one.
`

let app: TestApp
let admin: Caller

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
})
afterAll(() => app.stop())

async function expectSentence(call: string, args: object, status: number, message: string): Promise<void> {
  const [model = '', method = ''] = call.split('/')
  const answer = await admin.call(model, method, args)
  expect(answer.body).toMatchObject({ message })
  expect(answer.status).toBe(status)
}

it.each(readSentences())('%s %s: %i %s', (call, args, status, message) =>
  expectSentence(call, JSON.parse(args) as object, status, message),
)

describe('a limit is named', () => {
  it.each<[string, string, object, number, string]>([
    ['depth', 'res.partner/search', { domain: nested(150) }, 400, 'The body is nested more than 100 levels deep.'],
    ['terms', 'res.partner/search', { domain: Array(501).fill('!') }, 422, 'A domain has at most 500 terms.'],
    [
      'records',
      'res.partner/create',
      { vals_list: Array(1001).fill({}) },
      422,
      'One call may touch at most 1000 records.',
    ],
    [
      'ids',
      'res.partner/read',
      { ids: Array(10_001).fill(1) },
      422,
      'The argument "ids" names more than 10000 records.',
    ],
    ['order', 'res.partner/search', { order: 'id,'.repeat(20) }, 422, 'A search is sorted by at most 10 fields.'],
    [
      'list',
      'res.partner/search',
      { domain: [['id', 'in', Array(10_001).fill(1)]] },
      422,
      'The condition on "res.partner.id" lists more than 10000 values.',
    ],
    [
      'text',
      'res.partner/create',
      { vals_list: { name: 'x'.repeat(501) } },
      422,
      '"res.partner.name" has more than 500 characters.',
    ],
  ])('the limit of %s is named', (_what, call, args, status, message) => expectSentence(call, args, status, message))

  it('a limit is named together with its argument', async () => {
    for (const [args, name] of [
      [{ domain: {} }, 'domain'],
      [{ limit: -1 }, 'limit'],
      [{ limit: 1e300 }, 'limit'],
      [{ offset: 3e9 }, 'offset'],
      [{ offset: '0' }, 'offset'],
      [{ order: 7 }, 'order'],
    ] as const) {
      const answer = await admin.call('res.partner', 'search', args)
      expect(answer.status).toBe(422)
      expect((answer.body as { message: string }).message).toContain(`"${name}" of res.partner/search`)
    }
  })
})

it('a sentence repeats at most a hundred characters of what was sent', async () => {
  const long = 'x'.repeat(100_000)
  for (const args of [
    { [long]: 1 },
    { domain: [[long, '=', 1]] },
    { domain: [['name', long, 1]] },
    { domain: [['id', '=', long]] },
    { domain: [long] },
    { order: `${long} sideways` },
  ]) {
    const answer = await admin.call('res.partner', 'search', args)
    expect(answer.status).toBe(422)
    expect(answer.text.length).toBeLessThan(1_000)
  }
})

describe('a conflict names', () => {
  it('what still uses the record', async () => {
    const [me] = await admin.ask<{ partner_id: [number] }[]>('res.users', 'read', {
      ids: [admin.userId],
      fields: ['partner_id'],
    })
    const ids = [me?.partner_id[0]]
    const message = 'The record of res.partner is still used by a record of res.users.'
    await expectSentence('res.partner/unlink', { ids }, 409, message)
    const stage = await admin.ask<number>('helpdesk.stage', 'create', { vals_list: { name: 'Used' } })
    await admin.ask('helpdesk.ticket', 'create', { vals_list: { name: 'x', stage_id: stage } })
    const ofStage = 'The record of helpdesk.stage is still used by a record of helpdesk.ticket.'
    await expectSentence('helpdesk.stage/unlink', { ids: [stage] }, 409, ofStage)
  })

  it('what is taken, in the words of the model where it has some', async () => {
    const hours = { vals_list: { name: 'x', user_id: admin.userId } }
    await admin.ask('resource.calendar', 'create', hours)
    await expectSentence('resource.calendar/create', hours, 409, 'This user already has working hours.')
    const login = { vals_list: { login: 'local-admin', name: 'x' } }
    await expectSentence('res.users/create', login, 409, 'Someone already has this login.')
    const blank = { vals_list: { login: 'xa ver', name: 'x' } }
    await expectSentence('res.users/create', blank, 422, '"res.users.login" must be without blanks.')
    const phone = { vals_list: { user: (await app.person([])).userId, client_enabled: false } }
    await admin.ask('connect.user', 'create', phone)
    await expectSentence('connect.user/create', phone, 409, 'This login already has a phone user.')
  })
})

function readSentences(): [call: string, args: string, status: number, message: string][] {
  return SENTENCES.trim()
    .split('\n')
    .map((line) => {
      const [call = '', args = '', status = '', ...message] = line.split(/ +\| /)
      return [call, args, Number(status), message.join(' | ')]
    })
}

function nested(depth: number): unknown {
  return depth === 0 ? [] : [nested(depth - 1)]
}
