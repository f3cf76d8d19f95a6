import { Argument, type Command } from 'commander'
import { withConnection } from '../command.ts'
import { type Connection, ServiceRefusal } from '../service/connection.ts'
import { parseWhole } from '../terminal/arguments.ts'

const LISTED_DEFAULT = 20
const LIST_COLUMNS = ['create_date', 'direction', 'caller', 'called', 'status', 'duration_human', 'partner', 'ticket']
const TIMELINE_COLUMNS = ['at', 'what', 'record', 'detail']

export function addCallCommands(program: Command): void {
  const call = program.command('call').description('the ledger of calls')
  call
    .command('list')
    .description('newest calls first')
    .option('-n, --limit <count>', 'how many', parseWhole, LISTED_DEFAULT)
    .option('--status <status>', 'only calls with this status')
    .option('--number <part>', 'only calls whose caller or called number contains this')
    .action((options: { limit: number; status?: string; number?: string }, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const args = { domain: domainOf(options), fields: LIST_COLUMNS, limit: options.limit }
        output.rows(await connection.call('connect.call', 'search_read', args), ['id', ...LIST_COLUMNS])
      }),
    )
  const id = new Argument('<id>', 'id of the call').argParser(parseWhole)
  call
    .command('show')
    .addArgument(id)
    .description('everything of one call')
    .action((callId: number, _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => output.value(await readCall(connection, callId))),
    )
  call
    .command('timeline')
    .addArgument(id)
    .description('what happened in one call, in order, with the record that says so')
    .action((callId: number, _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        await readCall(connection, callId)
        output.rows(await connection.call('connect.call', 'timeline', { ids: [callId] }), TIMELINE_COLUMNS)
      }),
    )
}

async function readCall(connection: Connection, id: number): Promise<object> {
  const [call] = await connection.call<object[]>('connect.call', 'search_read', { domain: [['id', '=', id]] })
  if (call === undefined) throw new ServiceRefusal(404, `There is no call ${id}.`)
  return call
}

function domainOf({ status, number }: { status?: string; number?: string }): unknown[] {
  return [
    ...(status === undefined ? [] : [['status', '=', status]]),
    ...(number === undefined ? [] : ['|', ['caller', 'ilike', number], ['called', 'ilike', number]]),
  ]
}
