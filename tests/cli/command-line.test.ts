import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { lockFolder } from '../../src/database/embedded/folder-lock.ts'
import { CommandProcess, type Ran, runCommand } from '../support/command.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'

const SECRET = 'an API key nobody may see'

let place: Place

beforeAll(async () => {
  place = await Place.prepared()
})
afterAll(() => place.remove())

describe('every command', () => {
  it('tells what it takes', async () => {
    const help = await new CommandProcess(['--help'], place.env).ended()
    const commands = ['serve', 'worker', 'migrate', 'sync', 'settings', 'user', 'api-key', 'call', 'deliveries']
    for (const command of [...commands, 'doctor', 'backup', 'restore', 'export', 'simulate', 'demo', 'emulators'])
      expect(help.out).toContain(command)
    expect(help.code).toBe(0)
    const ofOne = await connect(['call', 'timeline', '--help'])
    expect(ofOne).toMatchObject({ code: 0, out: expect.stringContaining('what happened in one call') })
  })

  it.each([
    [['nothing'], "unknown command 'nothing'"],
    [['call', 'show', 'abc'], 'whole number from 1'],
    [['call', 'list', '--limit', '-3'], 'whole number from 1'],
    [['deliveries', 'replay', '7', 'x'], 'whole number from 1'],
    [['deliveries', 'list', '--inbox', '--verdict', 'failed'], 'cannot be used with'],
    [['sync', 'everything'], 'Allowed choices are voiceai, telco'],
  ])('exits with 2 and a sentence for %j', async (args, sentence) => {
    const wrong = await connect(args)
    expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) })
  })
})

describe('on a data folder that nobody serves', () => {
  it('changes a setting, takes a secret from standard input, and never prints one', async () => {
    const set = await new CommandProcess(['settings', 'set', 'voiceai_api_key'], place.env, SECRET).ended()
    expect(set).toMatchObject({ code: 0, err: '' })
    const all = await connect(['--json', 'settings', 'get'])
    expect(JSON.parse(all.out)).toMatchObject({
      telco_edge: 'ashburn',
      voiceai_api_key: '****',
      voiceai_agent_token: '****',
    })
    expect(all.out + all.err + set.out).not.toContain(SECRET)
  })

  it('backs it up and restores it, moving aside what is there', async () => {
    const folder = `${place.dataDir}-backup`
    const made = await new CommandProcess(['--json', 'backup', folder], place.env).ended()
    expect(made.code).toBe(0)
    expect(JSON.parse(made.out)).toMatchObject({ kept: expect.arrayContaining(['local-admin.key']) })
    expect(made.out).toContain('SECRET_KEY')
    expect(await connect(['backup', folder])).toMatchObject({ code: 3, err: `${folder} is not empty.\n` })
    await connect(['settings', 'set', 'telco_edge', 'tokyo'])
    expect(await connect(['restore', folder])).toMatchObject({ code: 0, err: '' })
    // On a server only the files of the folder are restored; its database is pg_dump's.
    const edge = place.databaseUrl === undefined ? 'ashburn' : 'tokyo'
    expect((await connect(['settings', 'get', 'telco_edge'])).out.trim()).toBe(edge)
    expect(existsSync(path.join(folder, 'connect-backup.json'))).toBe(true)
    rmSync(folder, { recursive: true, force: true })
  })

  it('backs up no folder that another process has, and leaves nothing', async () => {
    const folder = `${place.dataDir}-held`
    const lock = lockFolder(place.dataDir)
    try {
      const refused = await connect(['backup', folder])
      expect(refused).toMatchObject({ code: 3, out: '', err: expect.stringContaining('is in use by process') })
      expect(existsSync(folder)).toBe(false)
    } finally {
      lock.release()
    }
  })

  it('restores nothing but a backup', async () => {
    const empty = mkdtempSync(path.join(path.dirname(inject('template')), 'no-backup-'))
    const refused = await connect(['restore', empty])
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('is not a backup') })
  })
})

describe('through the running service', () => {
  let service: ServiceProcess

  beforeAll(async () => {
    service = await ServiceProcess.start(place.env)
  })
  afterAll(() => service.stop())

  it('refuses with a sentence and 3', async () => {
    const wrong = await new CommandProcess(['settings', 'set', 'telco_edge', 'atlantis'], place.env).ended()
    expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining('telco_edge') })
    expect(await connect(['call', 'show', '4711'])).toMatchObject({ code: 3, err: 'There is no call 4711.\n' })
    const replayed = await connect(['deliveries', 'replay', '4711'])
    expect(replayed).toMatchObject({ code: 3, err: 'There is no stored delivery 4711.\n' })
    const typed = await connect(['user', 'create', 'eve'])
    expect(typed).toMatchObject({ code: 3, err: expect.stringContaining('No password was given.') })
  })

  it('creates a user with a key, once', async () => {
    const created = await connect(['--json', 'user', 'create', 'bob', '--no-password', '--group', 'connect.group_user'])
    expect(JSON.parse(created.out)).toMatchObject({ login: 'bob' })
    const key = JSON.parse((await connect(['--json', 'api-key', 'create', 'bob', 'laptop'])).out) as {
      id: number
      key: string
    }
    expect(key.key).toMatch(/^ck_/)
    const listed = await connect(['api-key', 'list', '--json'])
    expect(listed.out).toContain('laptop')
    expect(listed.out).not.toContain(key.key)
    const revoked = await connect(['--json', 'api-key', 'revoke', String(key.id)])
    expect(JSON.parse(revoked.out)).toEqual({ id: key.id })
    expect((await connect(['--json', 'api-key', 'list'])).out).not.toContain('laptop')
  })

  it('exports every record once as a line of JSON, with its secrets masked', async () => {
    const languages = await connect(['export', 'res.lang', '--fields', 'code'])
    const codes = languages.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { code: string }).code)
    expect(codes).toContain('en_US')
    expect(new Set(codes).size).toBe(codes.length)
    const settings = await new CommandProcess(['export', 'connect.settings'], place.env).ended()
    expect(settings).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(settings.out)).toMatchObject({ voiceai_api_key: '****', voiceai_agent_token: '****' })
    expect(settings.out).not.toContain(SECRET)
  })

  it('exports records whose texts are too long for one answer in smaller ones', async () => {
    const long = { name: 'Long', description: 'x'.repeat(60_000) }
    const vals = { vals_list: Array.from({ length: 60 }, () => long) }
    for (let at = 0; at < 5; at += 1) await service.call(place.localKey, 'helpdesk.ticket', 'create', vals)
    const { out, err } = await connect(['export', 'helpdesk.ticket', '--fields', 'description'])
    expect(err).toBe('')
    const ids = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
    expect(new Set(ids).size).toBe(300)
  })

  it('warns of a secret that went into the history of the shell', async () => {
    const set = await connect(['settings', 'set', 'voiceai_api_key', SECRET])
    expect(set).toMatchObject({ code: 0, err: expect.stringContaining('stands in the history of your shell') })
    expect(set.out + set.err).not.toContain(SECRET)
  })

  it('restores nothing over the folder of the running service, and says to stop it', async () => {
    const folder = `${place.dataDir}-running`
    const made = await connect(['backup', folder])
    expect(made).toMatchObject({ code: 0, err: '' })
    const refused = await connect(['restore', folder])
    expect(refused.code).toBe(3)
    expect(refused.err).toContain(place.databaseUrl === undefined ? 'is in use by process' : 'A service runs on')
    expect(refused.err).toContain('Stop the service')
    expect(refused.err).not.toContain('DATABASE_URL')
    rmSync(folder, { recursive: true })
  })
})

function connect(args: readonly string[], input = ''): Promise<Ran> {
  return runCommand(args, place.env, input)
}
