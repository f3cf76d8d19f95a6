import { Argument, Option } from 'commander'
import { readOne } from '../../app/own-api/connection.ts'
import type { CommandRow } from '../command.ts'
import { LIMIT, parseWhole } from '../terminal/arguments.ts'

const LIST_COLUMNS = [
  ...['started_at', 'direction', 'caller', 'called', 'outcome', 'status', 'duration_human', 'partner', 'ticket'],
]
const TIMELINE_COLUMNS = ['since', 'lane', 'record', 'sentence']
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
        new Option('--number <part>', 'only calls whose caller or called number contains this, in any usual form'),
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
        const { moments } = await connection.call<{ moments: Moment[] }>('connect.call', 'timeline', { ids: [id] })
        output.rows(moments.map(toRow), TIMELINE_COLUMNS)
      },
    },
    {
      usage: 'explain',
      about: 'why one call ended as it did, what says so, and what mends it',
      arguments: [ID],
      async ask({ connection, output }, id: number) {
        await readOne(connection, { model: 'connect.call', name: 'call', id })
        const why = await connection.call<Explanation>('connect.call', 'explain', { ids: [id] })
        output.done(toText(why), why)
      },
    },
  ],
}

interface Moment {
  ms: number
  kind: string
  ref?: readonly [model: string, id: number]
  took_ms?: number
  budget_ms?: number
}

interface Explanation {
  sentence: string
  because: { sentence: string }[]
  fixes: { sentence: string }[]
  open: { sentence: string }[]
}

const MS_PER_SECOND = 1_000
const MS_DIGITS = 3
const WORDS: Readonly<Record<string, string>> = {
  'connect.channel': 'leg',
  'connect.delivery': 'delivery',
  'connect.recording': 'recording',
  'connect.voicemail': 'voicemail',
  'mail.message': 'note',
}

/** A moment as a line: when it was on the line of the call, and the record that says so. */
function toRow(moment: Moment): object {
  const [model = '', id = ''] = moment.ref ?? []
  const record = moment.ref === undefined ? null : `${WORDS[model] ?? model} ${id}`
  return { since: `+${(moment.ms / MS_PER_SECOND).toFixed(MS_DIGITS)}`, record, ...moment }
}

function toText({ sentence, because, fixes, open }: Explanation): string {
  const listed = (title: string, lines: readonly { sentence: string }[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line.sentence}`)]
  return [
    sentence,
    ...listed('Because', because),
    ...listed('What mends it', fixes),
    ...listed('Promised and not done', open),
  ].join('\n')
}

function domainOf({ status, number }: ListOptions): unknown[] {
  return [
    ...(status === undefined ? [] : [['status', '=', status]]),
    ...(number === undefined ? [] : ['|', ['caller', 'ilike', number], ['called', 'ilike', number]]),
  ]
}
