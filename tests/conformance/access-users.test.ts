// Nobody becomes more than they are: users, groups, keys and passwords against people who may keep users but are no managers.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type Caller, TestApp } from '../support/test-app.ts'

type User = { id: number; login: string; active: boolean; group_ids: number[]; partner_id: [number, string] }

let app: TestApp
let admin: Caller
let user: Caller
let boss: Caller
let webhookId: number
let localAdminId: number
let groups: Record<string, number>

beforeAll(async () => {
  app = await TestApp.start()
  admin = await app.person(['connect.group_admin'])
  user = await app.person(['connect.group_user'])
  webhookId = (await app.webhookUser()).userId
  localAdminId = app.admin.userId
  const rows = await app.admin.ask<{ id: number; external_id: string }[]>('res.groups', 'search_read')
  groups = Object.fromEntries(rows.map((row) => [row.external_id, row.id]))
})
beforeEach(async () => {
  boss = await app.person(['base.group_erp_manager', 'connect.group_admin'])
})
afterAll(() => app.stop())

async function readUser(id: number): Promise<User> {
  const [row] = await app.admin.ask<User[]>('res.users', 'read', {
    ids: [id],
    fields: ['login', 'active', 'group_ids', 'partner_id'],
  })
  return row as User
}

async function expectRefused(answer: Promise<Answer>, ...statuses: number[]): Promise<void> {
  const { status, text } = await answer
  expect(statuses.length > 0 ? statuses : [403], text).toContain(status)
}

describe('a Connect administrator', () => {
  it('keeps ordinary users: creates, renames, archives and deletes them, but gives nobody another login', async () => {
    const id = await admin.ask<number>('res.users', 'create', { vals_list: { login: 'new-person', name: 'New' } })
    const vals = { login: 'new-person', name: 'Renamed', active: false }
    expect(await admin.ask('res.users', 'write', { ids: [id], vals })).toBe(true)
    await expectRefused(admin.call('res.users', 'write', { ids: [id], vals: { login: 'me@example.com' } }))
    expect(await readUser(id)).toMatchObject({ login: 'new-person', active: false, group_ids: [] })
    expect(await admin.ask('res.users', 'unlink', { ids: [id] })).toBe(true)
  })

  it.each([
    ['login', 'taken-over'],
    ['name', 'Somebody else'],
    ['active', false],
    ['password', 'a password of twelve'],
    ['group_ids', []],
    ['share', true],
  ])('a Connect administrator does not change the %s of a manager', async (name, value) => {
    const before = await readUser(boss.userId)
    await expectRefused(admin.call('res.users', 'write', { ids: [boss.userId], vals: { [name]: value } }))
    expect(await readUser(boss.userId)).toEqual(before)
    expect((await app.request('/api/me', { headers: { authorization: `bearer ${boss.key}` } })).status).toBe(200)
  })

  it('a Connect administrator does not touch a manager among others, delete one, or give its contact away', async () => {
    const other = await app.person([])
    await expectRefused(admin.call('res.users', 'write', { ids: [other.userId, boss.userId], vals: { name: 'x' } }))
    await expectRefused(admin.call('res.users', 'unlink', { ids: [boss.userId] }))
    const { partner_id: contact } = await readUser(boss.userId)
    await expectRefused(admin.call('res.users', 'write', { ids: [admin.userId], vals: { partner_id: contact[0] } }))
    await expectRefused(
      admin.call('res.users', 'create', { vals_list: { login: 'x', name: 'x', partner_id: contact[0] } }),
    )
    await expectRefused(admin.call('res.partner', 'unlink', { ids: [contact[0]] }), 409)
  })

  it('a Connect administrator does not reach a manager who is one through an implied group', async () => {
    const implying = await app.admin.ask<number>('res.groups', 'create', {
      vals_list: { name: 'Heads', external_id: 'x.heads', implied_ids: [groups['base.group_erp_manager']] },
    })
    const head = await app.person([])
    await app.admin.ask('res.users', 'write', { ids: [head.userId], vals: { group_ids: [implying] } })
    await expectRefused(admin.call('res.users', 'write', { ids: [head.userId], vals: { login: 'mine' } }))
  })

  it.each([
    ['its own groups', 'own'],
    ['the groups of another', 'other'],
    ['the groups of a new user', 'new'],
  ])('a Connect administrator does not write %s, as a list or as commands', async (_what, whose) => {
    const manager = groups['base.group_erp_manager']
    for (const value of [[manager], [[4, manager]], [[6, 0, [manager]]]]) {
      if (whose === 'new') {
        await expectRefused(
          admin.call('res.users', 'create', { vals_list: { login: 'n', name: 'n', group_ids: value } }),
        )
      } else {
        const ids = [whose === 'own' ? admin.userId : user.userId]
        await expectRefused(admin.call('res.users', 'write', { ids, vals: { group_ids: value } }))
      }
    }
    const me = await app.request('/api/me', { headers: { authorization: `bearer ${admin.key}` } })
    expect(me.text).not.toContain('erp_manager')
  })

  it('a Connect administrator does not come in from the other side: groups, implied groups, keys, sessions', async () => {
    const ids = [groups['base.group_erp_manager']]
    for (const vals of [{ user_ids: [[4, admin.userId]] }, { implied_ids: [] }, { name: 'x' }]) {
      await expectRefused(admin.call('res.groups', 'write', { ids, vals }))
    }
    await expectRefused(
      admin.call('res.groups', 'write', { ids: [groups['connect.group_admin']], vals: { implied_ids: ids } }),
    )
    await expectRefused(admin.call('res.groups', 'create', { vals_list: { name: 'x', external_id: 'x' } }))
    await expectRefused(admin.call('res.users.apikeys', 'create', { vals_list: { name: 'x', user_id: boss.userId } }))
    await expectRefused(admin.call('res.users.session', 'create', { vals_list: { user_id: boss.userId } }))
    await expectRefused(admin.call('res.users', 'write', { ids: [user.userId], vals: { api_key_ids: [] } }), 422)
    // A manager does not write a group's users either: groups are given to users.
    await expectRefused(app.admin.call('res.groups', 'write', { ids, vals: { user_ids: [admin.userId] } }), 422)
  })

  it('makes no key and no password for anybody else', async () => {
    for (const id of [boss.userId, user.userId, webhookId, localAdminId]) {
      await expectRefused(admin.call('res.users', 'api_key_create', { ids: [id], name: 'mine' }))
      await expectRefused(admin.call('res.users', 'write', { ids: [id], vals: { password: 'a password of twelve' } }))
    }
    await expectRefused(
      admin.call('res.users', 'create', { vals_list: { login: 'p', name: 'p', password: 'a password of twelve' } }),
    )
  })

  it('writes the service’s own fields of nobody', async () => {
    for (const vals of [{ external_id: 'base.user_admin' }, { password_hash: 'x' }, { create_uid: 1 }, { id: 1 }]) {
      await expectRefused(admin.call('res.users', 'write', { ids: [user.userId], vals }), 403, 422)
    }
  })
})

describe('a Connect user', () => {
  it('reads names and logins of colleagues, and nothing that opens doors', async () => {
    const [row] = await user.ask<object[]>('res.users', 'read', { ids: [boss.userId] })
    const stamps = ['create_date', 'create_uid', 'write_date', 'write_uid']
    expect(Object.keys(row ?? {}).sort()).toEqual(['active', ...stamps, 'display_name', 'id', 'login', 'name'].sort())
    for (const name of [
      'group_ids',
      'partner_id',
      'password',
      'external_id',
      'api_key_ids',
      'share',
      'password_hash',
    ]) {
      await expectRefused(user.call('res.users', 'read', { ids: [user.userId], fields: [name] }))
    }
  })

  it('changes no user, not even itself', async () => {
    for (const id of [user.userId, boss.userId]) {
      await expectRefused(user.call('res.users', 'write', { ids: [id], vals: { name: 'x' } }))
      await expectRefused(user.call('res.users', 'unlink', { ids: [id] }))
    }
    await expectRefused(user.call('res.users', 'create', { vals_list: { login: 'x', name: 'x' } }))
  })
})

describe('what the service itself depends on', () => {
  it('the webhook user is not let in, not archived, not moved and not deleted, by anybody', async () => {
    const before = await readUser(webhookId)
    for (const vals of [
      { active: true },
      { password: 'a password of twelve' },
      { group_ids: [groups['connect.group_admin']] },
      { login: 'x' },
    ]) {
      await expectRefused(app.admin.call('res.users', 'write', { ids: [webhookId], vals }), 422)
    }
    await expectRefused(app.admin.call('res.users', 'unlink', { ids: [webhookId] }), 422)
    await expectRefused(app.admin.call('res.users', 'unlink', { ids: [localAdminId] }), 422)
    expect(await readUser(webhookId)).toEqual(before)
  })

  it('the webhook user keeps its one group, whatever links it with others', async () => {
    await admin.call('connect.user', 'create', { vals_list: { user: webhookId, client_enabled: false } })
    const { key } = await app.webhookUser()
    const me = await app.request('/api/me', { headers: { authorization: `bearer ${key}` } })
    expect(me.body).toMatchObject({ groups: ['connect.group_webhook'] })
  })

  it('the groups that the service depends on keep their external ids and are not deleted', async () => {
    for (const [externalId, id] of Object.entries(groups).filter(([name]) => !name.startsWith('x.'))) {
      await expectRefused(app.admin.call('res.groups', 'unlink', { ids: [id] }), 422)
      await expectRefused(app.admin.call('res.groups', 'write', { ids: [id], vals: { external_id: 'x' } }), 422)
      expect(await app.admin.ask('res.groups', 'write', { ids: [id], vals: { external_id: externalId } })).toBe(true)
    }
  })
})

describe('a change of rights', () => {
  it('counts from the next request on', async () => {
    const person = await app.person(['connect.group_user'])
    const may = async () => (await person.call('connect.telco.exten', 'create', { vals_list: [] })).status
    const write = (vals: object) => app.admin.ask('res.users', 'write', { ids: [person.userId], vals })
    expect(await may()).toBe(403)
    await write({ group_ids: [[4, groups['connect.group_admin']]] })
    expect(await may()).toBe(200)
    await write({ group_ids: [[3, groups['connect.group_admin']]] })
    expect(await may()).toBe(403)
    await write({ active: false })
    expect(await may()).toBe(401)
    await write({ active: true })
    expect(await may()).toBe(403)
    await app.admin.ask('res.users', 'unlink', { ids: [person.userId] })
    expect(await may()).toBe(401)
  })

  it('a change of rights of a group counts for its members', async () => {
    const id = await app.admin.ask<number>('res.groups', 'create', {
      vals_list: { name: 'Team', external_id: 'x.team' },
    })
    const person = await app.person([])
    await app.admin.ask('res.users', 'write', { ids: [person.userId], vals: { group_ids: [id] } })
    const may = async () => (await person.call('connect.call', 'search_count')).status
    expect(await may()).toBe(403)
    await app.admin.ask('res.groups', 'write', { ids: [id], vals: { implied_ids: [groups['connect.group_user']] } })
    expect(await may()).toBe(200)
    await app.admin.ask('res.groups', 'unlink', { ids: [id] })
    expect(await may()).toBe(403)
  })
})
