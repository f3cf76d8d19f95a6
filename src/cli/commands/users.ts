import { Argument, type Command } from 'commander'
import { withConnection } from '../command.ts'
import { type Connection, ServiceRefusal } from '../service/connection.ts'
import { parseWhole } from '../terminal/arguments.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import type { Terminal } from '../terminal/terminal.ts'

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who sign in')
  addAccountCommands(user)
  addCreateCommand(user)
  addKeyCommands(program)
}

function addAccountCommands(user: Command): void {
  user
    .command('list')
    .description('all users, also those who are not active')
    .action((_options, command: Command) =>
      withConnection(command, async ({ connection, output }) => output.rows(await listUsers(connection), USER_ROW)),
    )
  user
    .command('password <login>')
    .description('give a user a new password, asked for or read from standard input, and end their sessions')
    .action((login: string, _options, command: Command) =>
      withConnection(command, async ({ connection, output, terminal }) => {
        const id = await userId(connection, login)
        const password = await askSecret('New password: ', terminal)
        if (password === '') throw new ServiceRefusal(400, 'No password was given: the old one stays.')
        await connection.call('res.users', 'write', { ids: [id], vals: { password } })
        output.done(`${login} has a new password; who was signed in as ${login} no longer is.`, { id, login })
      }),
    )
  user
    .command('deactivate <login>')
    .description('let a user in no more, neither by password nor by key; --undo lets them in again')
    .option('--undo', 'activate the user again')
    .action((login: string, { undo = false }: { undo?: boolean }, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const id = await userId(connection, login)
        await connection.call('res.users', 'write', { ids: [id], vals: { active: undo } })
        const sentence = undo
          ? `${login} is active again.`
          : `${login} is not active: neither password nor keys let in.`
        output.done(sentence, { id, login, active: undo })
      }),
    )
}

function addCreateCommand(user: Command): void {
  user
    .command('create <login>')
    .description('create a user; the password is asked for, or read from standard input')
    .option('--name <name>', 'full name; the login when left out')
    .option('--group <external id...>', 'groups, such as connect.group_user', ['connect.group_user'])
    .option('--no-password', 'without a password: such a user acts by API keys only')
    .action((login: string, options: { name?: string; group: string[]; password: boolean }, command: Command) =>
      withConnection(command, async ({ connection, output, terminal }) => {
        const groups = await groupIds(connection, options.group)
        const password = options.password ? { password: await askPassword(terminal) } : {}
        const values = { login, name: options.name ?? login, group_ids: groups, ...password }
        output.value({ id: await connection.call<number>('res.users', 'create', { vals_list: values }), login })
      }),
    )
}

function addKeyCommands(program: Command): void {
  const key = program.command('api-key').description('keys for programs')
  key
    .command('create <login> <name>')
    .description('make a key for a user and print it, this once')
    .option('--expires <date>', 'end of the key, YYYY-MM-DD')
    .action((login: string, name: string, { expires }: { expires?: string }, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const args = { ids: [await userId(connection, login)], name, expires_at: expires ?? null }
        output.value(await connection.call('res.users', 'api_key_create', args))
      }),
    )
  key
    .command('revoke')
    .addArgument(new Argument('<id>', 'id of the key, from `api-key list`').argParser(parseWhole))
    .description('end a key')
    .action((id: number, _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        await connection.call('res.users.apikeys', 'unlink', { ids: [id] })
        output.done(`The key ${id} is revoked.`, { id })
      }),
    )
  key
    .command('list')
    .description('keys, without their values')
    .action((_options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const fields = ['name', 'user_id', 'create_date', 'expires_at', 'last_used']
        output.rows(await connection.call('res.users.apikeys', 'search_read', { fields }), ['id', ...fields])
      }),
    )
}

interface UserRow {
  id: number
  login: string
  name: string
  active: boolean
  group_ids: number[]
}

const USER_ROW = ['id', 'login', 'name', 'active', 'groups']

async function listUsers(connection: Connection): Promise<object[]> {
  const [users, groups] = await Promise.all([
    connection.call<UserRow[]>('res.users', 'search_read', { fields: ['login', 'name', 'active', 'group_ids'] }),
    connection.call<{ id: number; external_id: string }[]>('res.groups', 'search_read', { fields: ['external_id'] }),
  ])
  const names = new Map(groups.map(({ id, external_id: name }) => [id, name]))
  return users.map(({ id, login, name, active, group_ids: ids }) => {
    return { id, login, name, active, groups: ids.map((each) => names.get(each) ?? each).join(' ') }
  })
}

async function groupIds(connection: Connection, externalIds: readonly string[]): Promise<number[]> {
  const groups = await connection.call<{ id: number; external_id: string }[]>('res.groups', 'search_read', {
    fields: ['external_id'],
  })
  return externalIds.map((externalId) => {
    const group = groups.find((each) => each.external_id === externalId)
    if (group !== undefined) return group.id
    const known = groups.map((each) => each.external_id).join(', ')
    throw new ServiceRefusal(404, `There is no group "${externalId}". The groups are: ${known}.`)
  })
}

async function userId(connection: Connection, login: string): Promise<number> {
  const [id] = await connection.call<number[]>('res.users', 'search', { domain: [['login', '=', login]] })
  if (id === undefined) throw new ServiceRefusal(404, `There is no user with the login "${login}".`)
  return id
}

async function askPassword(terminal: Terminal): Promise<string> {
  const password = await askSecret('Password: ', terminal)
  if (password !== '') return password
  throw new ServiceRefusal(400, 'No password was given. With --no-password the user acts by API keys only.')
}
