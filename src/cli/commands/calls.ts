import { Argument, Option } from 'commander'
import type { CommandRow } from '../command.ts'
import { readOne } from '../service/connection.ts'
import { LIMIT, parseWhole } from '../terminal/arguments.ts'

const LIST_COLUMNS = ['create_date', 'direction', 'caller', 'called', 'status', 'duration_human', 'partner', 'ticket']
const TIMELINE_COLUMNS = ['at', 'what', 'record', 'detail']
const ID = new Argument('<id>', 'id of the call').argParser(parseWhole)

interface ListOptions {
  limit: number
  status?: string
  number?: string
}

export const CALL_COMMANDS: CommandRow = {
  usage: 'call',
  about: 'the ledger of calls',
  rows: [
    {
      usage: 'list',
      about: 'newest calls first',
      options: [
        LIMIT,
        new Option('--status <status>', 'only calls with this status'),
        new Option('--number <part>', 'only calls whose caller or called number contains this'),
      ],
      async ask({ connection, output }, options: ListOptions) {
        const args = { domain: domainOf(options), fields: LIST_COLUMNS, limit: options.limit }
        output.rows(await connection.call('connect.call', 'search_read', args), ['id', ...LIST_COLUMNS])
      },
    },
    {
      usage: 'show',
      about: 'everything of one call',
      arguments: [ID],
      ask: async ({ connection, output }, id: number) =>
        output.value(await readOne(connection, { model: 'connect.call', name: 'call', id })),
    },
    {
      usage: 'timeline',
      about: 'what happened in one call, in order, with the record that says so',
      arguments: [ID],
      async ask({ connection, output }, id: number) {
        await readOne(connection, { model: 'connect.call', name: 'call', id })
        output.rows(await connection.call('connect.call', 'timeline', { ids: [id] }), TIMELINE_COLUMNS)
      },
    },
  ],
}

function domainOf({ status, number }: ListOptions): unknown[] {
  return [
    ...(status === undefined ? [] : [['status', '=', status]]),
    ...(number === undefined ? [] : ['|', ['caller', 'ilike', number], ['called', 'ilike', number]]),
  ]
}
