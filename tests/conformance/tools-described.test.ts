// What the API document says of the tools is what they take and answer.
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AGENT_TOOLS } from '../../src/app/webhooks/agent-tools.ts'
import { aCall, aPartner } from '../fixtures/records.ts'
import { TestApp } from '../support/test-app.ts'

interface Schema {
  properties?: Record<string, Schema>
  required?: string[]
}
type Content = { content: { 'application/json': { schema: Schema } } }
type Described = Record<string, { post?: { requestBody: Content; responses: Record<string, Content> } }>

let app: TestApp
let paths: Described

beforeAll(async () => {
  app = await TestApp.start({ clock: () => new Date('2026-08-26T09:00:00Z') })
  paths = ((await app.request('/api/openapi.json')).body as { paths: Described }).paths
})
afterAll(() => app.stop())

function replySchema(path: string, status = '200'): Schema {
  return paths[path]?.post?.responses[status]?.content['application/json'].schema ?? {}
}

it.each(AGENT_TOOLS)('$path is installed with arguments that the document has', ({ path, parameters }) => {
  const { properties = {}, required = [] } = paths[path]?.post?.requestBody.content['application/json'].schema ?? {}
  expect(parameters.filter(({ name }) => !(name in properties))).toEqual([])
  const given = parameters.filter((each) => each.isRequired).map(({ name }) => name)
  expect(required.filter((name) => !given.includes(name))).toEqual([])
})

describe('a tool answers what the document says', () => {
  async function answer(path: string, args: object, status = 200): Promise<Record<string, unknown>> {
    const { body, status: got } = await app.tool(path, args)
    expect([got, [...Compile(replySchema(path, String(status)) as never).Errors(body)]], path).toEqual([status, []])
    const shown = Object.keys(replySchema(path, String(status)).properties ?? {})
    if (status === 200)
      expect(
        Object.keys(body).filter((name) => !shown.includes(name)),
        path,
      ).toEqual([])
    return body
  }

  it('a tool of the helpdesk answers what the document says', async () => {
    const partner = await aPartner(app, { name: 'Zoe' })
    const call = await aCall(app, { partner })
    const of = (name: string): string => `/connect_voiceai_helpdesk/${name}`
    await answer(of('search_tickets'), { partner_id: partner })
    const { ticket_id: ticket } = await answer(of('create_ticket'), { call_id: call, subject: 'Roof' })
    await answer(of('search_tickets'), { partner_id: String(partner), only_open: true })
    await answer(of('fetch_ticket'), { ticket_id: ticket })
    await answer(of('update_ticket'), { ticket_id: ticket, priority: '2' })
    await answer(of('ticket_activity'), { ticket_id: ticket, note: 'Called back' })
    await answer(of('fetch_ticket'), { ticket_id: 2_000_000_000 }, 404)
    await answer(of('fetch_ticket'), {}, 400)
  })

  it('a tool of the voice agent answers what the document says', async () => {
    const colleague = await app.person(['base.group_user'], { name: 'Anna' })
    const call = await aCall(app, { caller: '+41315550199' })
    const of = (name: string): string => `/connect_voiceai/${name}`
    const { partner_id: partner } = await answer(of('create_partner'), { call_id: call, name: 'Ben' })
    await answer(of('get_current_date'), {})
    await answer(of('get_available_slots'), { user_id: colleague.userId, start: '2026-08-27' })
    const [start, stop] = ['2026-08-27 10:00:00', '2026-08-27 10:30:00']
    const booking = { user_id: colleague.userId, start, stop, call_id: call }
    const { event_id: meeting } = await answer(of('create_event'), booking)
    await answer(of('get_meetings'), { partner_id: partner })
    await answer(of('remove_meeting'), { event_id: meeting, call_id: call })
  })
})
