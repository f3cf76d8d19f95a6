import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { getRollbackPlans } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { type Ran, runCommand } from '../../support/command.ts'
import { createServerDatabase, dropServerDatabase, SERVER_URL } from '../../support/database.ts'
import { ServiceProcess } from '../../support/service-process.ts'

const SECRET_KEY = 'the secret key of the tests'
const DIFFICULT = 'Zoë "O\'Neil" \\ {1,2} \t tab\nline, \u{1f4de} NULL'
/** Names take no control characters. */
const DIFFICULT_NAME = DIFFICULT.replaceAll(/\s+/g, ' ')

/** Each begins by itself, and a loaded machine takes long for one. */
const SEVERAL_PROCESSES = { timeout: 360_000 }

describe('connect move', () => {
  let dataDir: string
  let url: string | undefined
  const env = (more: Record<string, string> = {}) => ({ DATA_DIR: dataDir, SECRET_KEY, ...more })

  beforeAll(async () => {
    if (SERVER_URL === undefined) return
    dataDir = path.join(path.dirname(inject('template')), `move-${randomBytes(6).toString('hex')}`)
    url = await createServerDatabase('template0')
  })
  afterAll(async () => {
    if (url === undefined) return
    rmSync(dataDir, { recursive: true, force: true })
    await dropServerDatabase(url)
  })

  it(
    'moves rows, sequences, jobs and secrets to a server, on which the service goes on',
    SEVERAL_PROCESSES,
    async ({ skip }) => {
      skip(url === undefined, 'there is no PostgreSQL server')
      const to = url ?? ''
      const { partner, recording } = await fill(dataDir, env())
      const served = await ServiceProcess.start(env())
      expect(await connect(['move', '--to', to])).toMatchObject({
        code: 3,
        out: '',
        err: expect.stringMatching(/is in use by process .*stop the service and move again/),
      })
      await served.stop()

      const moved = await connect(['move', '--json', '--to', to])
      expect(moved.err).toBe('')
      expect(JSON.parse(moved.out)).toMatchObject({ missingAudio: 1, rows: expect.any(Number) })
      expect(JSON.parse(moved.out).rows).toBeGreaterThan(1_500)
      expect(moved.out).not.toContain('password')

      const service = await ServiceProcess.start(env({ DATABASE_URL: to }))
      try {
        const key = readFileSync(path.join(dataDir, 'local-admin.key'), 'utf8').trim()
        const read = <Row>(model: string, domain: unknown[], fields: string[]) =>
          service.call<Row[]>(key, model, 'search_read', { domain, fields })
        expect(await read('res.partner', [['id', '=', partner]], ['name'])).toMatchObject([{ name: DIFFICULT_NAME }])
        expect(
          await service.call<number>(key, 'res.partner', 'search_count', { domain: [['name', '=like', 'Many %']] }),
        ).toBe(1_200)
        expect(await read('connect.recording', [['id', '=', recording]], ['transcript'])).toMatchObject([
          { transcript: DIFFICULT },
        ])
        const [settings] = await read<{ auth_token: string }>('connect.settings', [], ['auth_token'])
        expect(settings?.auth_token).toBe('an Auth Token of an account')
        // The next id comes after those that were moved.
        const next = await service.call<number[]>(key, 'res.partner', 'create', { vals_list: [{ name: 'Next' }] })
        expect(next[0]).toBeGreaterThan(partner)
        // Links hold again, and what has audio is followed by its removal.
        await expect(service.call(key, 'connect.recording', 'unlink', { ids: [recording] })).resolves.toBeTruthy()
      } finally {
        await service.stop()
      }
      const db = await openDatabase({ databaseUrl: to, databasePool: 2, dataDir })
      const jobs = await db.query<{ count: string }>(
        sql`select count(*)::text as count from jobs.job where name = 'moved-test'`,
      )
      await db.close()
      expect(jobs[0]?.count).toBe('1')
    },
  )

  it('leaves nothing behind that a start without DATABASE_URL would go on with', async ({ skip }) => {
    skip(url === undefined, 'there is no PostgreSQL server')
    expect(readdirSync(dataDir).some((name) => name.startsWith('database.moved-'))).toBe(true)
    const refused = await connect(['settings', 'get'])
    expect(refused).toMatchObject({
      code: 3,
      err: expect.stringContaining('was moved to PostgreSQL. Set DATABASE_URL'),
    })
    const looked = await connect(['doctor'])
    expect(looked).toMatchObject({
      code: 3,
      out: expect.stringMatching(/was moved to PostgreSQL\s+-> Set DATABASE_URL/),
    })
    expect(looked.out).not.toContain('restore')
    expect(existsSync(path.join(dataDir, 'database'))).toBe(false)
  })

  it('refuses a target that holds anything, and changes nothing', async ({ skip }) => {
    skip(url === undefined, 'there is no PostgreSQL server')
    const [old] = readdirSync(dataDir).filter((name) => /^database\.moved-\d+$/.test(name))
    cpSync(path.join(dataDir, old ?? ''), path.join(dataDir, 'database'), { recursive: true })
    const refused = await connect(['move', '--to', url ?? ''])
    expect(refused).toMatchObject({ code: 3, out: '', err: expect.stringMatching(/is not empty: it holds \S+/) })
    expect(existsSync(path.join(dataDir, 'database'))).toBe(true)
    expect(await connect(['move', '--to', 'mysql://x/y'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('postgres://'),
    })
    const onServer = await runCommand(['move', '--to', url ?? ''], env({ DATABASE_URL: url ?? '' }))
    expect(onServer).toMatchObject({ code: 3, err: expect.stringContaining('on a server already') })
  })

  it('empties a target again in which the copy failed', async ({ skip }) => {
    skip(url === undefined, 'there is no PostgreSQL server')
    const other = await createServerDatabase('template0')
    // A column that no server has: the copy cannot be whole.
    const db = await openDatabase({ databaseUrl: undefined, databasePool: 2, dataDir })
    await db.script('alter table res_partner add column from_elsewhere text')
    await db.close()
    expect(await connect(['move', '--to', other])).toMatchObject({
      code: 1,
      err: expect.stringContaining('res_partner'),
    })
    expect(existsSync(path.join(dataDir, 'database'))).toBe(true)
    const again = await openDatabase({ databaseUrl: undefined, databasePool: 2, dataDir })
    await again.script('alter table res_partner drop column from_elsewhere')
    // As a service of an earlier version left the tables of its jobs: a move may be the first thing after an upgrade.
    await again.script(getRollbackPlans('jobs'))
    await again.close()
    expect(await connect(['move', '--to', other])).toMatchObject({ code: 0, err: '' })
    await dropServerDatabase(other)
  })

  function connect(args: readonly string[]): Promise<Ran> {
    return runCommand(args, env())
  }
})

/** An embedded installation with what is difficult to copy: odd texts, many rows, links, secrets, a trigger's table, a job. */
async function fill(dataDir: string, env: Record<string, string>): Promise<{ partner: number; recording: number }> {
  mkdirSync(dataDir, { recursive: true })
  await runCommand(['migrate'], env)
  const service = await ServiceProcess.start(env)
  const key = readFileSync(path.join(dataDir, 'local-admin.key'), 'utf8').trim()
  const create = async (model: string, vals: object[]) =>
    service.call<number[]>(key, model, 'create', { vals_list: vals })
  const [partner = 0] = await create('res.partner', [{ name: DIFFICULT_NAME }])
  for (let at = 0; at < 4; at += 1) {
    await create(
      'res.partner',
      Array.from({ length: 300 }, (_each, row) => ({ name: `Many ${at} ${row}`, parent_id: partner })),
    )
  }
  const vals = { auth_token: 'an Auth Token of an account', account_sid: 'AC00000000000000000000000000000001' }
  await service.call(key, 'connect.settings', 'write', { ids: [1], vals })
  await service.stop()
  const db = await openDatabase({ databaseUrl: undefined, databasePool: 2, dataDir })
  const [recording] = await db.query<{ id: number }>(
    sql`insert into connect_recording (sid, transcript, media_ref) values ('RE1', ${DIFFICULT}, 'aa/00000000000000000000000000000000.mp3') returning id`,
  )
  await db.query(
    sql`insert into connect_inbox (key, kind, state, payload, received_at, attempts) values ('k', 'x', 'dead', 'null', now(), 8)`,
  )
  await db.script(`select jobs.create_queue('moved-test', '{"policy":"standard"}'::jsonb);
    insert into jobs.job (name, data) values ('moved-test', 'null'::jsonb)`)
  await db.close()
  writeFileSync(path.join(dataDir, 'note.txt'), 'stays')
  return { partner, recording: recording?.id ?? 0 }
}
