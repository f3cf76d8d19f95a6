import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { fillTemplate, templateProblem } from '../../../src/telco/applications/template.ts'
import { routeApplication } from '../../../src/telco/routing/decide/destination.ts'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import { BASE, Exchange, response, say } from './exchange.ts'

const SYSTEM_ERROR = response(say(sentence('systemError')), '<Hangup/>')

let exchange: Exchange
let application = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  application = await exchange.create('connect.telco.markup', { name: 'Test' })
})

afterAll(() => exchange.stop())

/** Stores a template as it is, also one that would be refused. */
async function use(template: string): Promise<number> {
  await exchange.app.db.query(
    sql`update connect_telco_markup set code_type = 'markup', markup = ${template} where id = ${application}::bigint`,
  )
  return application
}

const speak = (template: string) => use(`<Response><Say>${template}</Say></Response>`)

describe('a template', () => {
  test('sees the fields of the request and our addresses, escaped once', async () => {
    await speak('{{ Caller }}|{{ SipHeader_X-Ref }}|{{ Missing }}|{{ call_voice_status_url }}|{{ Name | escape }}')
    const form = { Caller: '<Hangup/>', 'SipHeader_X-Ref': '"&\'', Name: 'A & B\u0001' }
    expect(await exchange.application(application, { form })).toBe(
      response(
        say(
          `&lt;Hangup/&gt;|&quot;&amp;&apos;||${BASE}/telco/webhook/callstatus#e=ashburn&amp;rc=2&amp;rp=ct,rt,5xx|A &amp; B`,
        ),
      ),
    )
    await use('<Response><Record action="/x" recordingStatusCallback="{{ recording_voice_status_url }}"/></Response>')
    expect(await exchange.route(routeApplication, await exchange.request({ record: application }))).toContain(
      'recordingStatusCallback="https://pbx.example.com/telco/webhook/recordingstatus#e=ashburn&amp;',
    )
  })

  test('a template can decide, and knows the extension it was reached by', async () => {
    const exten = await exchange.extension('600', `connect.telco.markup,${application}`)
    await speak("{% if ExtenNumber == '600' %}Extension {{ ExtenID }}{% else %}Other{% endif %}")
    expect(await exchange.toDomain('600')).toBe(response(say(`Extension ${exten}`)))
    expect(await exchange.application(application, { form: {} })).toBe(response(say('Other')))
  })

  test('a template may begin with blank lines and a declaration', async () => {
    await use('\n  <?xml version="1.0" encoding="UTF-8"?>\n<Response><Hangup/></Response>')
    expect(await exchange.application(application)).toContain('<Hangup/>')
  })

  test.each([
    ['is broken', '<Response><Say>{% if %}</Say></Response>'],
    ['uses an unknown filter', '<Response><Say>{{ Caller | raw }}</Say></Response>'],
    ['names what every object has', '<Response><Say>{{ Caller | constructor }}</Say></Response>'],
    ['uses an unknown tag', "<Response>{% include 'x' %}</Response>"],
    ['reads a file', "<Response>{% render '/etc/passwd' %}</Response>"],
    ['is not well-formed', '<Response><Say>x</Response>'],
    ['makes another document', '<html/>'],
    ['makes an empty document', '<Response></Response>'],
    ['makes nothing', ''],
    ['makes too much', '<Response>{% for i in (1..9000) %}<Say>{{ CallSid }}</Say>{% endfor %}</Response>'],
    ['never ends', '{% for i in (1..150000) %}{% for j in (1..150000) %}{{ j }}{% endfor %}{% endfor %}'],
    ['counts too far', '{% for i in (1..999999999) %}x{% endfor %}'],
  ])('a template that %s is answered with a sentence', async (_what, template) => {
    await use(template)
    const markup = await exchange.application(application)
    expect([SYSTEM_ERROR, response(say(sentence('nobodyAnswers')), '<Hangup/>')]).toContain(markup)
  })

  test('a template has no way to our objects', () => {
    for (const template of ['{{ constructor }}', '{{ Caller.constructor }}', '{{ __proto__ }}', '{{ toString }}']) {
      expect(fillTemplate(template, { Caller: 'x' })).toBe('')
    }
    expect(templateProblem('{% constructor %}')).toContain('not found')
  })
})

describe('a route in the place of a template', () => {
  test('routes as the domain does, and never in circles', async () => {
    const [seeded] = await exchange.app.admin.ask<{ id: number }[]>('connect.telco.markup', 'search_read', {
      domain: [['code_type', '=', 'model_method']],
      fields: ['name'],
    })
    const id = seeded?.id ?? 0
    const user = await exchange.user('bob')
    await exchange.extension('610', `connect.user,${user}`)
    expect(await exchange.application(id, { form: { To: '610' } })).toContain('<Identity>bob@')
    expect(await exchange.application(id, { form: { To: '998' } })).toBe(response(say(sentence('extensionNotFound'))))
    await exchange.extension('611', `connect.telco.markup,${id}`)
    expect(await exchange.application(id, { form: { To: '611' } })).toBe(SYSTEM_ERROR)
  })

  test('a route in the place of a template is refused for any other name, also when the database holds one', async () => {
    await exchange.app.db.query(
      sql`update connect_telco_markup set code_type = 'model_method', model = 'res.users', method = 'unlink' where id = ${application}::bigint`,
    )
    expect(await exchange.application(application)).toBe(SYSTEM_ERROR)
    await exchange.app.db.query(
      sql`update connect_telco_markup set code_type = 'script', markup = 'process.exit()' where id = ${application}::bigint`,
    )
    expect(await exchange.application(application)).toBe(SYSTEM_ERROR)
  })
})

test('an unknown application is answered with a sentence', async () => {
  expect(await exchange.application(0)).toBe(response(say(sentence('applicationNotFound')), '<Hangup/>'))
})

test.each([
  ['', 'Localhost is not allowed'],
  ['http://localhost:8080', 'Localhost is not allowed'],
  ['https://127.0.0.1', 'Localhost is not allowed'],
  ['http://pbx.example.com', 'Please use HTTPS instead of HTTP'],
])('a caller hears what is wrong with the API URL %j', async (apiUrl, words) => {
  await speak('Hello')
  await exchange.settings({ api_url: apiUrl })
  const markup = await exchange.application(application)
  expect(markup).toMatch(/^<Response><Say>Invalid api url! [^<]*<\/Say><\/Response>$/)
  expect(markup).toContain(words)
  await exchange.settings({ api_url: BASE })
})

describe('in the editor', () => {
  test.each([
    ['an open value', '<Response><Say>{{ Caller</Say></Response>', 'output'],
    ['an unknown filter', '<Response><Say>{{ Caller | raw }}</Say></Response>', 'undefined filter: raw'],
    ['an open element', '<Response><Say>x</Response>', 'Line 1'],
    ['another root', '<Say>x</Say>', 'must be one <Response>'],
    ['too many characters', `<Response><Say>${'x'.repeat(70_000)}</Say></Response>`, 'more than 65536 characters'],
  ])('a template with %s is refused', async (_what, markup, words) => {
    const answer = await exchange.app.admin.call('connect.telco.markup', 'create', { vals_list: { name: 'x', markup } })
    expect(answer.status).toBe(422)
    expect((answer.body as { message: string }).message).toContain(words)
  })

  test('a template is tried out with sample fields, saved or not', async () => {
    await use('<Response><Dial callerID="{{ Caller }}">+1</Dial></Response>')
    expect(await exchange.app.admin.ask('connect.telco.markup', 'preview', { ids: [application] })).toEqual({
      markup: '<Response><Dial callerID="+14155550100">+1</Dial></Response>',
      problems: ['Line 1: <Dial> has no attribute callerID (it is written callerId).'],
    })
    const unsaved = { markup: '<Response><Say>{{ Digits }}</Say></Response>', fields: { Digits: '7' } }
    expect(await exchange.app.admin.ask('connect.telco.markup', 'preview', unsaved)).toEqual({
      markup: '<Response><Say>7</Say></Response>',
      problems: [],
    })
    expect(await exchange.app.admin.ask('connect.telco.markup', 'preview', { markup: '{% if %}' })).toMatchObject({
      markup: '',
      problems: [expect.any(String)],
    })
    expect((await exchange.app.admin.call('connect.telco.markup', 'preview', {})).status).toBe(422)
  })
})
