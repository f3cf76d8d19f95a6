import { Argument, Option } from 'commander'
import { type Connection, readOne, ServiceRefusal } from '../../app/own-api/connection.ts'
import type { CommandRow } from '../command.ts'
import { LIMIT, parseWhole } from '../terminal/arguments.ts'

const COLUMNS = ['received_at', 'route', 'verdict', 'status', 'ms', 'reason', 'call_sid', 'conversation']
const INBOX_COLUMNS = ['received_at', 'kind', 'state', 'attempts', 'conversation', 'error']
const ID = new Argument('<id>', 'id of the delivery').argParser(parseWhole)
const INBOX_IDS = new Argument('<id...>', 'ids of stored deliveries, from `deliveries list --inbox`').argParser(
  (text: string, previous: number[] = []) => [...previous, parseWhole(text)],
)

interface ListOptions {
  limit: number
  verdict?: string
  rejected?: boolean
  call?: number
  inbox?: boolean
}

export const DELIVERY_COMMANDS: CommandRow = {
  usage: 'deliveries',
  about: 'what the providers delivered',
  rows: [
    {
      usage: 'list',
      about: 'newest deliveries first; with --inbox those that wait or failed',
      options: [
        LIMIT,
        new Option('--verdict <verdict>', 'only deliveries that ended so')
          .choices(['handled', 'refused', 'rejected', 'failed'])
          .conflicts('inbox'),
        new Option('--rejected', 'only those of senders who were not let in').conflicts(['inbox', 'verdict']),
        new Option('--call <id>', 'only deliveries of this call').argParser(parseWhole).conflicts('inbox'),
        new Option('--inbox', 'stored deliveries and what became of them'),
      ],
      async ask({ connection, output }, options: ListOptions) {
        const [model, columns] =
          options.inbox === true ? ['connect.inbox', INBOX_COLUMNS] : ['connect.delivery', COLUMNS]
        const args = { domain: await domainOf(connection, options), fields: columns, limit: options.limit }
        output.rows(await connection.call(model, 'search_read', args), ['id', ...columns])
      },
    },
    {
      usage: 'show',
      about: 'one delivery with its headers, body and reply',
      arguments: [ID],
      async ask({ connection, output }, id: number) {
        const fields = [...COLUMNS, 'host', 'target', 'headers', 'body', 'reply']
        output.value(await readOne(connection, { model: 'connect.delivery', name: 'delivery', id, fields }))
      },
    },
    {
      usage: 'explain',
      about: 'why a delivery ended as it did, and which setting is wrong',
      arguments: [ID],
      async ask({ connection, output }, id: number) {
        const found = await connection.call<{ sentence: string }>('connect.delivery', 'explain', { ids: [id] })
        output.done(found.sentence, found)
      },
    },
    {
      usage: 'replay',
      about: 'work on stored deliveries again',
      arguments: [INBOX_IDS],
      async ask({ connection, output }, ids: number[]) {
        const known = await connection.call<number[]>('connect.inbox', 'search', { domain: [['id', 'in', ids]] })
        const unknown = ids.find((each) => !known.includes(each))
        if (unknown !== undefined) throw new ServiceRefusal(404, `There is no stored delivery ${unknown}.`)
        output.value(await connection.call('connect.inbox', 'replay', { ids }))
      },
    },
  ],
}

/** What is listed. A delivery is of a call when it names the call, one of its legs or its conversation. */
async function domainOf(connection: Connection, { verdict, rejected, call }: ListOptions): Promise<unknown[]> {
  const wanted = rejected === true ? 'rejected' : verdict
  const ofVerdict = wanted === undefined ? [] : [['verdict', '=', wanted]]
  if (call === undefined) return ofVerdict
  const wantedCall = { model: 'connect.call', name: 'call', id: call, fields: ['voiceai_conversation_id'] }
  const found = await readOne<{ voiceai_conversation_id: string | null }>(connection, wantedCall)
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
