// What one call of the API may write, with what is nested in it and with values once for each record, and that webhooks go on beside it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { TestApp } from '../../support/test-app.ts'

const CONTACT = 'res.partner'
const MEGABYTE = 1024 ** 2

let app: TestApp
beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

const children = (count: number, values: object = {}) =>
  Array.from({ length: count }, (_each, at) => [0, 0, { name: `Child ${at}`, ...values }])
const contacts = async () => {
  const [row] = await app.db.query<{ count: number }>(sql`select count(*)::int as count from res_partner`)
  return row?.count ?? 0
}
const make = (count: number) =>
  app.admin.ask<number[]>(CONTACT, 'create', {
    vals_list: Array.from({ length: count }, (_each, at) => ({ name: `Contact ${at}` })),
  })

describe('a call that writes too much', () => {
  const ROWS = 'One call may touch at most 1000 records.'
  const BYTES = 'One call may write at most 4 MB'
  it.each<[string, () => Promise<{ model?: string; method: string; args: object }>, number, string]>([
    [
      'nested records',
      async () => ({ method: 'create', args: { vals_list: { name: 'Parent', child_ids: children(6_000) } } }),
      422,
      ROWS,
    ],
    [
      'nested records of several',
      async () => ({
        method: 'create',
        args: { vals_list: Array(501).fill({ name: 'Parent', child_ids: children(1) }) },
      }),
      422,
      ROWS,
    ],
    [
      'nested records in nested ones',
      async () => ({
        method: 'create',
        args: { vals_list: { name: 'A', child_ids: children(2, { child_ids: children(500) }) } },
      }),
      422,
      ROWS,
    ],
    [
      'nested records of each of the ids',
      async () => ({ method: 'write', args: { ids: await make(40), vals: { child_ids: children(30) } } }),
      422,
      ROWS,
    ],
    [
      'values times ids',
      async () => ({ method: 'write', args: { ids: await make(5), vals: { comment: 'x'.repeat(MEGABYTE - 1_000) } } }),
      413,
      BYTES,
    ],
    [
      'values of several records',
      async () => ({
        method: 'create',
        args: { vals_list: Array(5).fill({ name: 'A', comment: 'ä'.repeat(500_000) }) },
      }),
      413,
      BYTES,
    ],
    [
      'values of nested records',
      async () => ({
        method: 'create',
        args: { vals_list: { name: 'A', child_ids: children(5, { comment: 'x'.repeat(900_000) }) } },
      }),
      413,
      BYTES,
    ],
    [
      'links',
      async () => {
        const vals_list = Array.from({ length: 101 }, (_each, at) => ({ name: `Team ${at}` }))
        const ids = await app.admin.ask<number[]>('helpdesk.team', 'create', { vals_list })
        const member_ids = [[6, 0, Array.from({ length: 100 }, (_each, at) => at + 1)]]
        return { model: 'helpdesk.team', method: 'write', args: { ids, vals: { member_ids } } }
      },
      422,
      'One call may set at most 10000 links',
    ],
    [
      'passwords times ids, each of which takes a tenth of a second',
      async () => {
        const vals_list = Array.from({ length: 21 }, (_each, at) => ({ login: `guest-${at}`, name: 'Guest' }))
        const ids = await app.admin.ask<number[]>('res.users', 'create', { vals_list })
        return { model: 'res.users', method: 'write', args: { ids, vals: { password: 'ribbon lantern quarry 7' } } }
      },
      422,
      'One call may set at most 20 passwords',
    ],
    [
      'passwords of new users',
      async () => {
        const vals_list = Array.from({ length: 21 }, (_each, at) => ({
          ...{ login: `fresh-${at}`, name: 'Fresh' },
          password: `ribbon lantern quarry ${at}`,
        }))
        return { model: 'res.users', method: 'create', args: { vals_list } }
      },
      422,
      'One call may set at most 20 passwords',
    ],
    [
      'nested records in those of the draft of an agent',
      async () => {
        const voice = await app.admin.ask<number>('connect.voiceai_voice', 'create', {
          vals_list: { name: 'V', voice_id: 'v-budget' },
        })
        const agent = await app.admin.ask<number>('connect.voiceai_agent', 'create', {
          vals_list: { name: 'Budget', voice, prompt: 'Help.' },
        })
        const param = { name: 'p', data_type: 'string', value_type: 'constant_value', constant_value: 'x' }
        const params = Array.from({ length: 300 }, (_each, at) => [0, 0, { ...param, name: `p${at}` }])
        const tools = Array.from({ length: 4 }, (_each, at) => [
          ...[0, 0],
          { name: `budget_${at}`, description: 'd', tool_type: 'client', response_timeout_secs: 5, params },
        ])
        return { model: 'connect.voiceai_agent', method: 'save_draft', args: { ids: [agent], vals: { tools } } }
      },
      422,
      ROWS,
    ],
  ])('a call that writes too much is refused before anything is written: %s', async (_what, prepare, status, says) => {
    const { model = CONTACT, method, args } = await prepare()
    const before = await contacts()
    const answer = await app.admin.call(model, method, args)
    expect(answer).toMatchObject({ status, text: expect.stringContaining(says) })
    expect(await contacts()).toBe(before)
  })

  it('a call that nearly writes too much is answered', async () => {
    const vals_list = { name: 'Parent', child_ids: children(999) }
    const id = await app.admin.ask<number>(CONTACT, 'create', { vals_list })
    const [parent] = await app.admin.ask<{ child_ids: number[] }[]>(CONTACT, 'read', {
      ids: [id],
      fields: ['child_ids'],
    })
    expect(parent?.child_ids).toHaveLength(999)
  }, 60_000)
})

describe('a call that writes many records', () => {
  it('thousands of link commands come to what they say in their order, and take no time', async () => {
    const users = await app.admin.ask<number[]>('res.users', 'search', { limit: 2 })
    const [one = 0, two = 0] = users
    const vals_list = {
      name: 'Commands',
      member_ids: [[4, one], ...Array.from({ length: 9_000 }, (_each, at) => [at % 2 === 0 ? 4 : 3, two])],
    }
    const began = performance.now()
    const id = await app.admin.ask<number>('helpdesk.team', 'create', { vals_list })
    expect(performance.now() - began).toBeLessThan(2_000)
    const members = async () => {
      const [row] = await app.admin.ask<{ member_ids: number[] }[]>('helpdesk.team', 'read', { ids: [id] })
      return row?.member_ids
    }
    expect(await members()).toEqual([one])
    const write = (commands: unknown[]) =>
      app.admin.call('helpdesk.team', 'write', { ids: [id], vals: { member_ids: commands } })
    await write([
      [3, one],
      [4, two],
    ])
    expect(await members()).toEqual([two])
    await write([[4, one], [5], [4, one], [3, two]])
    expect(await members()).toEqual([one])
    await write([
      [6, 0, [two]],
      [4, one],
      [3, one],
    ])
    expect(await members()).toEqual([two])
    expect(
      (
        await write([
          [4, 999_999],
          [3, 999_999],
        ])
      ).status,
    ).toBe(422)
    expect(await members()).toEqual([two])
  })

  it('the ids of a thousand new records come in the order of the records', async () => {
    const ids = await make(1_000)
    const names = await app.admin.ask<{ id: number; name: string }[]>(CONTACT, 'read', { ids, fields: ['name'] })
    expect(names.map(({ name }) => name)).toEqual(ids.map((_id, at) => `Contact ${at}`))
  }, 60_000)

  it('one that is wrong is named, and none of them is made', async () => {
    const before = await contacts()
    const vals_list = Array.from({ length: 300 }, (_each, at) => ({ name: at === 250 ? '' : `Contact ${at}` }))
    expect((await app.admin.call(CONTACT, 'create', { vals_list })).status).toBe(422)
    const nested = { name: 'Parent', child_ids: [...children(200), [0, 0, { name: 'x', tz: 'Mars' }]] }
    const answer = await app.admin.call(CONTACT, 'create', { vals_list: nested })
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('time zone') })
    expect(await contacts()).toBe(before)
  }, 60_000)

  it('two that clash with one another are refused, and what was made before is taken back', async () => {
    const vals_list = Array.from({ length: 300 }, (_each, at) => ({
      name: `Tag ${at}`,
      model: 'connect.call',
      query: {},
    }))
    const before = await app.count('connect_view')
    const eve = await app.person(['connect.group_user'])
    expect((await eve.call('connect.view', 'create', { vals_list })).status).toBe(422)
    expect(await app.count('connect_view')).toBe(before)
  }, 60_000)

  it('a change of many is made of all of them, with what is made with each', async () => {
    const ids = await make(150)
    expect(await app.admin.ask(CONTACT, 'write', { ids, vals: { comment: 'Bern', child_ids: children(1) } })).toBe(true)
    const rows = await app.admin.ask<{ comment: string; child_ids: number[] }[]>(CONTACT, 'read', {
      ids,
      fields: ['comment', 'child_ids'],
    })
    expect(rows.every(({ comment, child_ids: own }) => comment === 'Bern' && own.length === 1)).toBe(true)
    const missing = await app.admin.call(CONTACT, 'write', { ids: [...ids, 999_999_999], vals: { comment: 'Thun' } })
    expect(missing.status).toBe(404)
    const after = await app.admin.ask<{ comment: string }[]>(CONTACT, 'read', { ids, fields: ['comment'] })
    expect(after.every(({ comment }) => comment === 'Bern')).toBe(true)
  }, 60_000)
})

describe('what belongs together, in a call of more records than are written at once', () => {
  const count = async (table: string) => {
    const [row] = await app.db.query<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(table)}`,
    )
    return row?.count ?? 0
  }

  it('choices with the same digits and hours that overlap are refused among 150, and nothing stays', async () => {
    const exten = async (number: string) => {
      const phone = await app.admin.ask<number[]>('connect.telco.callflow', 'create', { vals_list: { name: number } })
      await app.admin.ask('connect.telco.callflow', 'write', { ids: phone, vals: { exten_number: number } })
      const [row] = await app.admin.ask<{ exten: [number, string] }[]>('connect.telco.callflow', 'read', {
        ids: phone,
        fields: ['exten'],
      })
      return row?.exten[0]
    }
    const [one, other] = [await exten('7101'), await exten('7102')]
    const choices = Array.from({ length: 150 }, (_each, at) => [
      0,
      0,
      { choice_digits: String(1_000 + (at === 149 ? 0 : at)), exten: at === 149 ? other : one },
    ])
    const opening_ids = Array.from({ length: 150 }, (_each, at) => {
      const nth = at === 149 ? 0 : at
      return [0, 0, { dayofweek: String(nth % 6), hour_from: nth / 10, hour_to: (nth + 1) / 10 }]
    })
    const before = [await count('connect_telco_callflow'), await count('connect_telco_business_hours')]
    const flow = await app.admin.call('connect.telco.callflow', 'create', {
      vals_list: { name: 'Menu', gather_digits: 4, choices },
    })
    expect(flow).toMatchObject({ status: 422, text: expect.stringContaining('is a choice of the call flow') })
    const hours = await app.admin.call('connect.telco.business_hours', 'create', {
      vals_list: { name: 'Hours', tz: 'Europe/Zurich', opening_ids },
    })
    expect(hours).toMatchObject({ status: 422, text: expect.stringContaining('overlaps other hours') })
    expect([await count('connect_telco_callflow'), await count('connect_telco_business_hours')]).toEqual(before)
    expect([await count('connect_telco_callflow_choice'), await count('connect_telco_opening')]).toEqual([0, 0])
  })

  it('more views than one person may have are refused, and none of them is stored', async () => {
    const anna = await app.person(['connect.group_user'])
    const views = (length: number) =>
      anna.call('connect.view', 'create', {
        vals_list: Array.from({ length }, (_each, at) => ({ name: `View ${at}`, model: 'connect.call', query: {} })),
      })
    for (const many of [1_000, 201]) {
      expect(await views(many)).toMatchObject({
        status: 422,
        text: expect.stringContaining('You can keep 200 saved views'),
      })
    }
    expect(await count('connect_view')).toBe(0)
    expect((await views(2)).status).toBe(200)
    expect(await views(199)).toMatchObject({ status: 422 })
    expect(await count('connect_view')).toBe(2)
  })

  it('more favourites than one person may have are given to nobody, and none of them is moved', async () => {
    const [anna, ben] = [await app.person(['connect.group_user']), await app.person(['connect.group_user'])]
    const made = await app.db.query<{ id: number }>(sql`insert into connect_favorite (phone_number, "user")
      select '+4131555' || (1000 + i), case when i <= 300 then ${anna.userId}::bigint else ${ben.userId}::bigint end
      from generate_series(1, 600) i returning id`)
    const ids = made.map(({ id }) => id)
    const give = (some: number[]) =>
      app.admin.call('connect.favorite', 'write', { ids: some, vals: { user: ben.userId } })
    const annas = () =>
      app.db
        .query(sql`select 1 from connect_favorite where "user" = ${anna.userId}::bigint`)
        .then((rows) => rows.length)
    expect(await give(ids)).toMatchObject({ status: 422, text: expect.stringContaining('You can keep 500 favourites') })
    expect(await give(ids.slice(0, 201))).toMatchObject({ status: 422 })
    expect(await annas()).toBe(300)
    expect((await give(ids.slice(0, 200))).status).toBe(200)
    // Whose they are already counts once.
    expect((await give(ids.slice(0, 200))).status).toBe(200)
    expect(await annas()).toBe(100)
  })
})
