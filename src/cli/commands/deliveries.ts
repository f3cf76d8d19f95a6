import { Argument, type Command, Option } from 'commander'
import { withConnection } from '../command.ts'
import { type Connection, ServiceRefusal } from '../service/connection.ts'
import { parseWhole } from '../terminal/arguments.ts'

const LISTED_DEFAULT = 20
const COLUMNS = ['received_at', 'route', 'verdict', 'status', 'ms', 'reason', 'call_sid', 'conversation']
const INBOX_COLUMNS = ['received_at', 'kind', 'state', 'attempts', 'conversation', 'error']

interface ListOptions {
  limit: number
  verdict?: string
  rejected?: boolean
  call?: number
  inbox?: boolean
}

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
    .addOption(new Option('--rejected', 'only those of senders who were not let in').conflicts(['inbox', 'verdict']))
    .addOption(new Option('--call <id>', 'only deliveries of this call').argParser(parseWhole).conflicts('inbox'))
    .option('--inbox', 'stored deliveries and what became of them')
    .action((options: ListOptions, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const isInbox = options.inbox === true
        const columns = isInbox ? INBOX_COLUMNS : COLUMNS
        const args = { domain: await domainOf(connection, options), fields: columns, limit: options.limit }
        const model = isInbox ? 'connect.inbox' : 'connect.delivery'
        output.rows(await connection.call(model, 'search_read', args), ['id', ...columns])
      }),
    )
  addOneDeliveryCommands(deliveries)
  addReplayCommand(deliveries)
}

function addOneDeliveryCommands(deliveries: Command): void {
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
    .command('explain')
    .addArgument(id)
    .description('why a delivery ended as it did, and which setting is wrong')
    .action((deliveryId: number, _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const found = await connection.call<{ sentence: string }>('connect.delivery', 'explain', { ids: [deliveryId] })
        output.done(found.sentence, found)
      }),
    )
}

function addReplayCommand(deliveries: Command): void {
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

/** What is listed. A delivery is of a call when it names the call, one of its legs or its conversation. */
async function domainOf(connection: Connection, { verdict, rejected, call }: ListOptions): Promise<unknown[]> {
  const wanted = rejected === true ? 'rejected' : verdict
  const ofVerdict = wanted === undefined ? [] : [['verdict', '=', wanted]]
  if (call === undefined) return ofVerdict
  const [found] = await connection.call<{ voiceai_conversation_id: string | null }[]>('connect.call', 'search_read', {
    domain: [['id', '=', call]],
    fields: ['voiceai_conversation_id'],
  })
  if (found === undefined) throw new ServiceRefusal(404, `There is no call ${call}.`)
  const legs = await connection.call<{ sid: string }[]>('connect.channel', 'search_read', {
    domain: [['call', '=', call]],
    fields: ['sid'],
  })
  const conversation = found.voiceai_conversation_id
  const ofCall = [
    ['call_ref', '=', call],
    ['call_sid', 'in', legs.map(({ sid }) => sid)],
    ...(conversation === null ? [] : [['conversation', '=', conversation]]),
  ]
  return [...ofVerdict, ...Array.from({ length: ofCall.length - 1 }, () => '|'), ...ofCall]
}
