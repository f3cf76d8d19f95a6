// A login of webhooks gets no secret, and one of the public only what everybody may read, whatever other groups they have
// (docs/reference/contract.md#resources, docs/reference/contract.md#groups-and-access).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeAsService } from '../fixtures/post-call.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const SECRETS = {
  voiceai_api_key: 'zz-voiceai-key-zz',
  voiceai_agent_token: 'zz-agent-token-zz',
  voiceai_post_call_webhook_id: 'zz-webhook-id-zz',
  voiceai_post_call_webhook_secret: 'zz-webhook-secret-zz',
  auth_token: 'zz-auth-token-zz',
  telco_api_secret: 'zz-telco-secret-zz',
}
const MARK = /zz-[a-z-]+-zz/
const MANAGING = ['base.group_erp_manager', 'connect.group_admin', 'connect.group_user', 'helpdesk.group_manager']

let app: TestApp
let manager: Caller
let callers: Record<'webhook' | 'public', Caller>

beforeAll(async () => {
  app = await TestApp.start()
  await writeAsService(app, SECRETS)
  manager = await app.person(MANAGING)
  callers = {
    webhook: await app.person([...MANAGING, 'connect.group_webhook']),
    public: await app.person([...MANAGING, 'base.group_public']),
  }
})
afterAll(() => app.stop())

it.each(['webhook', 'public'] as const)('a manager who is in the group of %s too gets no secret', async (who) => {
  const caller = callers[who]
  const names = Object.keys(SECRETS)
  const twins = names.map((name) => `display_${name}`)
  const asked: [string, object][] = [
    ['read', { ids: [1] }],
    ['read', { ids: [1], fields: names }],
    ['search_read', { fields: names }],
    ['search_read', { fields: twins }],
    ['fields_get', {}],
    ['name_search', { name: 'zz' }],
    ...names.flatMap((name): [string, object][] => [
      ['search', { domain: [[name, 'like', 'zz']] }],
      ['search', { order: name }],
      ['search_count', { domain: [[name, 'like', 'zz']] }],
      ['read_group', { domain: [], by: [name] }],
    ]),
  ]
  for (const [method, args] of asked) {
    // A method or an argument that is not there would give nobody anything.
    const known = await manager.call('connect.settings', method, args)
    expect([method, args, known.status]).toEqual([
      method,
      args,
      expect.toSatisfy((each) => each === 200 || each === 422),
    ])
    expect([method, args, known.text]).not.toEqual([method, args, expect.stringMatching(/has no (method|argument)/)])
    const { text } = await caller.call('connect.settings', method, args)
    expect([method, args, MARK.test(text)]).toEqual([method, args, false])
  }
})

it('a manager who is in the group of the public too reads what the public may, and nothing else', async () => {
  const stranger = await app.person(['base.group_public'])
  for (const { name } of app.app.platform.models) {
    const [mixed, alone] = [await callers.public.call(name, 'search'), await stranger.call(name, 'search')]
    expect([name, mixed.status]).toEqual([name, alone.status])
  }
  expect((await callers.public.call('connect.voiceai_file', 'search')).status).toBe(200)
  expect((await callers.public.call('connect.settings', 'search')).status).toBe(403)
  expect((await callers.public.call('connect.call', 'search')).status).toBe(403)
})
