import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OpenApiDocuments } from '../../src/platform/api/openapi-documents.ts'
import { TestApp } from '../support/test-app.ts'

interface Operation {
  operationId?: string
  tags: string[]
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description?: string; $ref?: string; content?: Record<string, { schema: object }> }>
  security?: object[]
}

interface OpenApi {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: object }>; securitySchemes: Record<string, object> }
  security: Record<string, unknown>[]
  tags: { name: string }[]
}

let app: TestApp
let api: OpenApi

beforeAll(async () => {
  app = await TestApp.start()
  api = await read()
})
afterAll(() => app.stop())

async function read(key?: string): Promise<OpenApi> {
  const headers = key === undefined ? {} : { authorization: `bearer ${key}` }
  const answer = await app.request('/api/openapi.json', { headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  return answer.body as OpenApi
}

describe('the API document', () => {
  it('the API document is OpenAPI 3.1 whose references all lead somewhere', () => {
    expect(api.openapi).toBe('3.1.0')
    expect(api.info).toMatchObject({ title: 'Connect', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    const named = new Set(JSON.stringify(api).match(/(?<="\$ref":")[^"]+/g))
    for (const reference of named) expect(api).toHaveProperty(reference.replace('#/', '').split('/'))
    for (const requirement of api.security) {
      for (const name of Object.keys(requirement)) expect(api.components.securitySchemes).toHaveProperty([name])
    }
  })

  it('describes each operation once, with its parameters, answers and tags', () => {
    const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    )
    const ids = operations.map(({ operationId = '' }) => operationId)
    expect(ids.filter((id) => !/^[a-z]\w*$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, parameters = [], responses } of operations) {
      expect(path).toMatch(/^\/[\w./{}-]+$/)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(parameters.filter((each) => each.in === 'path').map((each) => each.name)).toEqual(inPath)
      expect(Object.keys(responses).length).toBeGreaterThan(0)
      expect(Object.values(responses).every((each) => each.$ref !== undefined || each.description !== '')).toBe(true)
    }
  })

  it('the API document has every model and every method that can be called', async () => {
    for (const { name, methods = {} } of app.app.platform.models) {
      for (const method of ['search', 'read', 'create', 'write', 'unlink', ...Object.keys(methods)]) {
        expect(api.paths).toHaveProperty([`/json/2/${name}/${method}`, 'post'])
      }
      expect(api.components.schemas).toHaveProperty([name])
    }
  })

  it('the API document has all twenty-six webhooks, which take no key', () => {
    const webhooks = Object.entries(api.paths).filter(([, methods]) => methods.post?.tags.includes('webhooks') === true)
    expect(webhooks.map(([path]) => path).sort()).toEqual(WEBHOOKS.trim().split('\n').sort())
    expect(webhooks.every(([, methods]) => methods.post?.security?.length === 0)).toBe(true)
  })

  it('types what every model has, and every body and answer of the other routes', () => {
    const { post: read } = api.paths['/json/2/res.partner/search_read'] ?? {}
    expect(read?.responses[200]?.content?.['application/json']?.schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/res.partner' },
    })
    const { post: write } = api.paths['/json/2/res.partner/write'] ?? {}
    expect(write?.requestBody?.content['application/json']?.schema).toMatchObject({
      properties: { vals: { $ref: '#/components/schemas/res.partner.write' } },
    })
    expect(api.components.schemas['res.partner.create']).toMatchObject({ required: ['name'] })
    expect(api.components.schemas['res.partner.create']?.properties).not.toHaveProperty('phone_normalized')
    const others = Object.entries(api.paths).filter(([path]) => !path.startsWith('/json/'))
    for (const [path, methods] of others) {
      for (const { requestBody, responses } of Object.values(methods)) {
        const bodies = [...Object.values(requestBody?.content ?? {}), ...Object.values(responses[200]?.content ?? {})]
        expect(bodies.length, path).toBeGreaterThan(0)
        expect(
          bodies.every(({ schema }) => 'type' in schema || 'anyOf' in schema || 'const' in schema),
          path,
        ).toBe(true)
      }
    }
  })

  it('the API document has the routes that the service has', () => {
    for (const path of [
      '/api/live',
      '/api/me',
      '/api/sign-in',
      '/api/sign-in/second',
      '/api/totp/confirm',
      '/api/sso/callback',
      '/api/sign-out',
      '/api/password',
      '/api/setup',
      '/healthz',
      '/readyz',
    ])
      expect(api.paths).toHaveProperty([path])
    for (const [path, methods] of Object.entries(api.paths)) {
      const url = path.replace(/^\/json\/2\/.*/, '/json/2/:model/:method').replaceAll(/\{(\w+)\}/g, ':$1')
      for (const method of Object.keys(methods)) {
        expect(app.app.http.hasRoute({ method: method.toUpperCase() as 'GET', url }), path).toBe(true)
      }
    }
  })

  it('the API document is, for somebody signed in, what they may read', async () => {
    const user = await app.person(['connect.group_user'])
    const { paths, components } = await read(user.key)
    expect(paths).toHaveProperty(['/json/2/connect.call/search', 'post'])
    expect(paths).not.toHaveProperty(['/json/2/connect.settings/search'])
    expect(components.schemas).not.toHaveProperty(['helpdesk.ticket'])
  })

  it('the API document is made once for each set of groups', async () => {
    const read = (key: string) => app.request('/api/openapi.json', { headers: { authorization: `bearer ${key}` } })
    const [one, two] = [await app.person(['connect.group_user']), await app.person(['connect.group_user'])]
    const other = await app.person(['helpdesk.group_user'])
    const tags = await Promise.all([one, two, other].map(async ({ key }) => (await read(key)).headers.get('etag')))
    expect(tags[0]).toBe(tags[1])
    expect(tags[0]).not.toBe(tags[2])
    const documents = new OpenApiDocuments(app.app.platform.models, [])
    expect(await documents.get(undefined)).toBe(await documents.get(undefined))
  })

  it('the API document is compressed, and not sent again to who has it', async () => {
    const get = (headers: Record<string, string>) => app.request('/api/openapi.json', { headers })
    const plain = await get({ 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    const etag = plain.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/)
    const packed = await get({ 'accept-encoding': 'br, gzip;q=0.5' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect((await get({ 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull()
    for (const known of [etag, `"x", ${etag}`, '*']) expect((await get({ 'if-none-match': known })).status).toBe(304)
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
  })

  it('names no field that nobody reads', () => {
    expect(api.components.schemas['res.users']?.properties).not.toHaveProperty('password_hash')
    expect(api.components.schemas['res.users.apikeys']?.properties).not.toHaveProperty('key_hash')
  })

  it('the API document is shown on a page that takes nothing from elsewhere', async () => {
    const { status, headers, text } = await app.request('/api/docs')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('/api/openapi.json')
    expect(text).not.toMatch(/https?:\/\//)
  })
})

const WEBHOOKS = `
/connect_voiceai/conversation_initiation
/connect_voiceai/post_call
/connect_voiceai/transfer
/connect_voiceai/create_partner
/connect_voiceai/get_available_slots
/connect_voiceai/create_event
/connect_voiceai/get_current_date
/connect_voiceai/get_meetings
/connect_voiceai/remove_meeting
/telco/webhook/callstatus
/telco/webhook/callaction
/telco/webhook/{model}/call_action/{record}
/telco/webhook/number
/telco/webhook/markup/{record}
/telco/webhook/callflow/{record}/gather
/telco/webhook/domain
/telco/webhook/recordingstatus
/telco/webhook/vm_recordingstatus
/telco/webhook/message
/telco/webhook/message_status
/telco/webhook/outgoing_callerid
/connect_voiceai_helpdesk/create_ticket
/connect_voiceai_helpdesk/search_tickets
/connect_voiceai_helpdesk/fetch_ticket
/connect_voiceai_helpdesk/update_ticket
/connect_voiceai_helpdesk/ticket_activity
`
