import { Argument, Option } from 'commander'
import { type Connection, ServiceRefusal } from '../../app/own-api/connection.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { GROUP_WORDS } from '../../platform/identity/group-words.ts'
import type { AskingEnv, CommandRow } from '../command.ts'
import { parseWhole } from '../terminal/arguments.ts'
import { askSecret } from '../terminal/ask-secret.ts'

const USER_ROW = ['id', 'login', 'name', 'active', 'groups']
const KEY_FIELDS = ['name', 'user_id', 'create_date', 'expires_at', 'last_used']

/** Those that a person is put in. */
const PEOPLE_GROUPS = [
  ...[GROUP.connectUser, GROUP.connectAdmin, GROUP.manager],
  ...[GROUP.helpdeskUser, GROUP.helpdeskManager, GROUP.agentCalls],
]

export const USER_COMMANDS: CommandRow = {
  usage: 'user',
  about: 'people who sign in',
  rows: [
    {
      usage: 'list',
      about: 'all users, also those who are not active',
      ask: async ({ connection, output }) => output.rows(await listUsers(connection), USER_ROW),
    },
    {
      usage: 'password <login>',
      about: 'give a user a new password, asked for or read from standard input, and end their sessions',
      async ask({ connection, output, terminal }, login: string) {
        const id = await userId(connection, login)
        const password = await askSecret('New password: ', terminal)
        if (password === '') throw new ServiceRefusal(400, 'No password was given: the old one stays.')
        await connection.call('res.users', 'write', { ids: [id], vals: { password } })
        output.done(`${login} has a new password; who was signed in as ${login} no longer is.`, { id, login })
      },
    },
    {
      usage: 'deactivate <login>',
      about: 'let a user in no more, neither by password nor by key; --undo lets them in again',
      options: [new Option('--undo', 'activate the user again')],
      async ask({ connection, output }, login: string, { undo = false }: { undo?: boolean }) {
        const id = await userId(connection, login)
        await connection.call('res.users', 'write', { ids: [id], vals: { active: undo } })
        const sentence = undo
          ? `${login} is active again.`
          : `${login} is not active: neither password nor keys let in.`
        output.done(sentence, { id, login, active: undo })
      },
    },
    {
      usage: 'invite <login>',
      about: 'create a user without a password, and print a link by which they choose one: once, within seven days',
      options: [
        new Option('--name <name>', 'full name; the login when left out'),
        groupOption(),
        new Option('--extension <number>', 'a web phone with this extension as well'),
      ],
      async ask({ connection, output }, login: string, { name = login, group, extension }: InviteOptions) {
        const args = { name, login, group_ids: await groupIds(connection, group), extension: extension ?? null }
        printLink(await connection.call<NewLink>('res.users', 'invite', args), { connection, output })
      },
    },
    {
      usage: 'reset-link <login>',
      about: 'print a link by which a user chooses a new password; links before it end',
      async ask({ connection, output }, login: string) {
        const args = { ids: [await userId(connection, login)] }
        printLink(await connection.call<NewLink>('res.users', 'reset_link', args), { connection, output })
      },
    },
    {
      usage: 'revoke-link <login>',
      about: 'take back the link that a user has not used',
      async ask({ connection, output }, login: string) {
        const id = await userId(connection, login)
        const { revoked } = await connection.call<{ revoked: number }>('res.users', 'revoke', { ids: [id] })
        output.done(revoked === 0 ? `${login} has no open link.` : `The link of ${login} is taken back.`, {
          id,
          revoked,
        })
      },
    },
    {
      usage: 'create <login>',
      about: 'create a user; the password is asked for, or read from standard input, and none is generated',
      options: [
        new Option('--name <name>', 'full name; the login when left out'),
        groupOption(),
        new Option('--no-password', 'without a password: such a user acts by API keys only'),
      ],
      async ask({ connection, output, terminal }, login: string, options: CreateOptions) {
        const groups = await groupIds(connection, options.group)
        const password = options.password ? await askSecret('Password: ', terminal) : undefined
        if (password === '') {
          throw new ServiceRefusal(400, 'No password was given. With --no-password the user acts by API keys only.')
        }
        const values = {
          login,
          name: options.name ?? login,
          group_ids: groups,
          ...(password === undefined ? {} : { password }),
        }
        output.value({ id: await connection.call<number>('res.users', 'create', { vals_list: values }), login })
      },
    },
  ],
}

export const KEY_COMMANDS: CommandRow = {
  usage: 'api-key',
  about: 'keys for programs',
  rows: [
    {
      usage: 'create <login> <name>',
      about: 'make a key for a user and print it, this once',
      options: [new Option('--expires <date>', 'end of the key, YYYY-MM-DD')],
      async ask({ connection, output }, login: string, name: string, { expires = null }: { expires?: string | null }) {
        const args = { ids: [await userId(connection, login)], name, expires_at: expires }
        output.value(await connection.call('res.users', 'api_key_create', args))
      },
    },
    {
      usage: 'revoke',
      about: 'end a key',
      arguments: [new Argument('<id>', 'id of the key, from `api-key list`').argParser(parseWhole)],
      async ask({ connection, output }, id: number) {
        await connection.call('res.users.apikeys', 'unlink', { ids: [id] })
        output.done(`The key ${id} is revoked.`, { id })
      },
    },
    {
      usage: 'list',
      about: 'keys, without their values',
      async ask({ connection, output }) {
        const keys = await connection.call<object[]>('res.users.apikeys', 'search_read', { fields: KEY_FIELDS })
        output.rows(keys, ['id', ...KEY_FIELDS])
      },
    },
  ],
}

interface InviteOptions {
  name?: string
  group: string[]
  extension?: string
}

interface CreateOptions {
  name?: string
  group: string[]
  password: boolean
}

interface NewLink {
  id: number
  link: string
  path: string
  reach: 'public' | 'private' | 'example' | 'missing'
  expires_at: string
}

/** Who can open the link at the public address. */
const REACH_WORDS: Readonly<Record<NewLink['reach'], string>> = {
  public: '"link" works from anywhere that the public address (api_url) leads here from',
  private: '"link" works in this network alone, as the public address (api_url) is one of it',
  example: 'WARNING: "link" leads nowhere, as the public address (api_url) is an example',
  missing: '"link" is only a path, as there is no public address (api_url) yet',
}

/** A link at the public address and where the service listens, and which of the two works from where. */
function printLink(
  { link, path, ...made }: NewLink,
  { connection: { address }, output }: Pick<AskingEnv, 'connection' | 'output'>,
): void {
  output.value({ ...made, link, link_here: address === undefined ? null : address + path })
  const here =
    address === undefined
      ? 'where the service listens, put its address before the path'
      : '"link_here" works on the machine that the service runs on'
  output.say(`${REACH_WORDS[made.reach]}; ${here}.`)
}

/** Each group of people with what it is for. */
function groupOption(): Option {
  const groups = PEOPLE_GROUPS.map((name) => `${name}: ${GROUP_WORDS[name]}`).join('; ')
  return new Option('--group <external id...>', `groups: ${groups}`).default([GROUP.connectUser])
}

async function listUsers(connection: Connection): Promise<object[]> {
  const fields = ['login', 'name', 'active', 'group_ids']
  const users = await connection.call<
    { id: number; login: string; name: string; active: boolean; group_ids: number[] }[]
  >('res.users', 'search_read', { fields })
  const names = new Map((await listGroups(connection)).map(({ id, external_id: name }) => [id, name]))
  return users.map(({ group_ids: ids, ...user }) => {
    return { ...user, groups: ids.map((each) => names.get(each) ?? each).join(' ') }
  })
}

async function groupIds(connection: Connection, externalIds: readonly string[]): Promise<number[]> {
  const groups = await listGroups(connection)
  return externalIds.map((externalId) => {
    const group = groups.find((each) => each.external_id === externalId)
    if (group !== undefined) return group.id
    const known = groups.map((each) => each.external_id).join(', ')
    throw new ServiceRefusal(404, `There is no group "${externalId}". The groups are: ${known}.`)
  })
}

function listGroups(connection: Connection): Promise<{ id: number; external_id: string }[]> {
  return connection.call('res.groups', 'search_read', { fields: ['external_id'] })
}

async function userId(connection: Connection, login: string): Promise<number> {
  const [id] = await connection.call<number[]>('res.users', 'search', { domain: [['login', '=', login]] })
  if (id === undefined) throw new ServiceRefusal(404, `There is no user with the login "${login}".`)
  return id
}
