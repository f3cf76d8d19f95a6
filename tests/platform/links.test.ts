import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

const create = (model: string, values: object) => app.admin.call(model, 'create', { vals_list: values })

async function read<Row = Record<string, unknown>>(
  model: string,
  id: unknown,
  fields: string[],
): Promise<Row | undefined> {
  const [row] = await app.admin.ask<Row[]>(model, 'read', { ids: [id], fields })
  return row
}

describe('a link is written', () => {
  it('by a code or name that one record has', async () => {
    const company = await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Solar Ltd', country_id: 'CH' } })
    const person = await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe', parent_id: 'Solar Ltd' } })
    expect(await read('res.partner', company, ['country_id'])).toMatchObject({
      country_id: [expect.any(Number), 'Switzerland'],
    })
    expect(await read('res.partner', person, ['parent_id'])).toMatchObject({ parent_id: [company, 'Solar Ltd'] })
    await app.admin.ask('res.partner', 'write', { ids: [person], vals: { country_id: 'Austria', parent_id: '' } })
    expect(await read('res.partner', person, ['country_id', 'parent_id'])).toMatchObject({
      country_id: [expect.any(Number), 'Austria'],
      parent_id: null,
    })
  })

  it('in lists and commands too', async () => {
    const values = { login: 'named-groups', name: 'N', group_ids: ['connect.group_user', 'helpdesk.group_user'] }
    const user = await app.admin.ask('res.users', 'create', { vals_list: values })
    const groups = await app.groupIds(['connect.group_user', 'helpdesk.group_user'])
    expect((await read('res.users', user, ['group_ids']))?.group_ids).toEqual(expect.arrayContaining(groups))
    await app.admin.ask('res.users', 'write', { ids: [user], vals: { group_ids: [[3, 'helpdesk.group_user']] } })
    expect((await read('res.users', user, ['group_ids']))?.group_ids).not.toContain(
      (await app.groupIds(['helpdesk.group_user']))[0],
    )
  })

  it('not by a name that none or several have', async () => {
    for (const name of ['Twin', 'Twin']) await create('res.partner', { name })
    const several = await create('res.partner', { name: 'x', parent_id: 'Twin' })
    expect([several.status, several.body]).toEqual([
      422,
      expect.objectContaining({
        message: '"res.partner.parent_id" must be an id: several records of res.partner have the name "Twin".',
      }),
    ])
    expect((await create('res.partner', { name: 'x', country_id: 'XX' })).status).toBe(422)
  })

  it('not to a record that its writer does not see', async () => {
    const user = await app.person(['connect.group_user'])
    await create('helpdesk.ticket', { name: 'Printer' })
    const answer = await user.call('connect.call', 'create', { vals_list: { ticket: 'Printer' } })
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.objectContaining({ message: 'You are not allowed to link "connect.call.ticket" to helpdesk.ticket.' }),
    ])
  })
})
