import { Argument, type Command, Option } from 'commander'
import { parseWhole } from '../arguments.ts'
import { withConnection } from '../command.ts'
import { ServiceRefusal } from '../connection.ts'

const LISTED_DEFAULT = 20
const COLUMNS = ['received_at', 'route', 'verdict', 'status', 'ms', 'reason', 'call_sid', 'conversation']
const INBOX_COLUMNS = ['received_at', 'kind', 'state', 'attempts', 'conversation', 'error']

export function addDeliveryCommands(program: Command): void {
  const deliveries = program.command('deliveries').description('what the providers delivered')
  deliveries
    .command('list')
    .description('newest deliveries first; with --inbox those that wait or failed')
    .option('-n, --limit <count>', 'how many', parseWhole, LISTED_DEFAULT)
    .addOption(
      new Option('--verdict <verdict>', 'only deliveries that ended so')
        .choices(['handled', 'refused', 'rejected', 'failed'])
        .conflicts('inbox'),
    )
    .option('--inbox', 'stored deliveries and what became of them')
    .action((options: { limit: number; verdict?: string; inbox?: boolean }, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const [model, columns] =
          options.inbox === true ? ['connect.inbox', INBOX_COLUMNS] : ['connect.delivery', COLUMNS]
        const domain = options.verdict === undefined ? [] : [['verdict', '=', options.verdict]]
        const args = { domain, fields: columns, limit: options.limit }
        output.rows(await connection.call(model as string, 'search_read', args), ['id', ...(columns as string[])])
      }),
    )
  const id = new Argument('<id>', 'id of the delivery').argParser(parseWhole)
  deliveries
    .command('show')
    .addArgument(id)
    .description('one delivery with its headers, body and reply')
    .action((deliveryId: number, _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const fields = [...COLUMNS, 'host', 'target', 'headers', 'body', 'reply']
        const [delivery] = await connection.call<object[]>('connect.delivery', 'search_read', {
          domain: [['id', '=', deliveryId]],
          fields,
        })
        if (delivery === undefined) throw new ServiceRefusal(404, `There is no delivery ${deliveryId}.`)
        output.value(delivery)
      }),
    )
  deliveries
    .command('replay')
    .argument(
      '<id...>',
      'ids of stored deliveries, from `deliveries list --inbox`',
      (text: string, previous: number[] = []) => [...previous, parseWhole(text)],
    )
    .description('work on stored deliveries again')
    .action((ids: number[], _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const known = await connection.call<number[]>('connect.inbox', 'search', { domain: [['id', 'in', ids]] })
        const unknown = ids.find((each) => !known.includes(each))
        if (unknown !== undefined) throw new ServiceRefusal(404, `There is no stored delivery ${unknown}.`)
        output.value(await connection.call('connect.inbox', 'replay', { ids }))
      }),
    )
}
